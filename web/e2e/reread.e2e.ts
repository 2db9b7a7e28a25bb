import type { Page } from "@playwright/test";
import { post } from "../../scripts/client.mjs";
import { expectAccessibleEverywhere, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { visit } from "./api.ts";
import { content, publishAll, recordShifts, saveDraft } from "./changes.ts";
import { type Classroom, test } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { publishButton, publishDialog, write } from "./page-editor.ts";
import { tabTo } from "./ui.ts";

/** What learners are told of pages that have changed since they read them. */

const note = (page: Page) => page.getByRole("region", { name: "Изменения на странице" });
const compare = (page: Page) => note(page).getByRole("button", { name: "Что изменилось" });
const reread = (page: Page) => note(page).getByRole("button", { name: "Прочитано снова" });
const changes = (page: Page) => page.getByRole("region", { name: "Важные изменения" });

/** A page that the learner has read changes. */
async function change(
  classroom: Classroom,
  pageId: string,
  text: string,
  choice: object = {},
): Promise<void> {
  await saveDraft(classroom, pageId, content(text));
  await publishAll(classroom, choice);
}

test("a changed page says so until it was read again, and shows what has changed", async ({
  classroom,
  tabFor,
}) => {
  const { learner, server } = classroom;
  const [first] = classroom.pages;
  await visit(server, learner, first);
  const { page } = await tabFor(learner);
  await page.goto(`/view-page/${first}`);
  await expect(page.getByText("Текст.")).toBeVisible();
  await expect(note(page)).toHaveCount(0);

  await change(classroom, first, "Текст. Точнее.");
  await page.reload();
  await expect(note(page)).toContainText(/изменилась с\sтех\sпор/);
  await expectAccessibleEverywhere(page, "a page that has changed");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "a page that has changed, at 360 px");
  await compare(page).click();
  const dialog = page.getByRole("dialog", { name: "Что изменилось на странице" });
  await expect(dialog.getByText("Точнее.").first()).toBeVisible();
  await expectAccessibleEverywhere(page, "the comparison with the text read");
  await page.keyboard.press("Escape");
  await expect(compare(page)).toBeFocused();

  await reread(page).click();
  await expect(note(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.reload();
  await expect(page.getByText("Текст. Точнее.")).toBeVisible();
  await expect(note(page)).toHaveCount(0);
});

test("the note stands in the first paint of the page: nothing moves, on a phone either", async ({
  classroom,
  tabFor,
}) => {
  const [first] = classroom.pages;
  await visit(classroom.server, classroom.learner, first);
  await change(classroom, first, "Текст. Точнее.", { importance: "IMPORTANT" });
  const { page } = await tabFor(classroom.learner);
  const shifts = await recordShifts(page);
  for (const size of [
    { width: 1280, height: 800 },
    { width: 360, height: 740 },
  ]) {
    await resize(page, size);
    await page.goto(`/view-page/${first}`);
    await expect(reread(page)).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(await shifts(), `layout shift at ${size.width} px`).toBeLessThan(0.005);
  }
});

test("the comparison marks the page as read again, with the keyboard alone", async ({
  classroom,
  tabFor,
}) => {
  const [first] = classroom.pages;
  await visit(classroom.server, classroom.learner, first);
  await change(classroom, first, "Текст. Точнее.");
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${first}`);
  await tabTo(page, compare(page));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Точнее.").first()).toBeVisible();
  await tabTo(page, dialog.getByRole("button", { name: "Прочитано снова" }));
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(note(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});

test("without the network the page cannot be marked, and the note says why", async ({
  classroom,
  tabFor,
}) => {
  const [first] = classroom.pages;
  await visit(classroom.server, classroom.learner, first);
  await change(classroom, first, "Текст. Точнее.");
  const { page, context } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${first}`);
  await expect(reread(page)).toBeVisible();
  await context.setOffline(true);
  await expect(reread(page)).toBeDisabled();
  await expect(note(page)).toContainText(/Нет\sсети/);
  await context.setOffline(false);
  await reread(page).click();
  await expect(note(page)).toHaveCount(0);
});

test("a page that is read to its end tells which version was read", async ({ classroom, tabFor }) => {
  const [first] = classroom.pages;
  await change(classroom, first, "Текст. Точнее.");
  const { page } = await tabFor(classroom.learner);
  const visits: { input: { pageId: string; version?: number } }[] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/graphql")) return;
    const body = request.postDataJSON();
    if (body?.operationName === "MarkPageVisited") visits.push(body.variables);
  });
  await page.goto(`/view-page/${first}`);
  await expect.poll(() => visits.length).toBe(1);
  expect(visits[0]?.input).toEqual({ pageId: first, version: expect.any(Number) });
  await change(classroom, first, "Текст. Ещё точнее.");
  await page.reload();
  await compare(page).click();
  await expect(page.getByRole("dialog").getByText("Ещё точнее").first()).toBeVisible();
});

test("an author marks a change as important, and the home screen of those who read the page lists it", async ({
  classroom,
  tabFor,
}) => {
  const [first, , last] = classroom.pages;
  await visit(classroom.server, classroom.learner, first);
  const author = (await tabFor(classroom.owner)).page;
  await author.goto(`/edit-page/${first}`);
  await write(author, " Важно.");
  await publishButton(author).click();
  const kind = publishDialog(author).getByRole("group", { name: "Что это за изменение" });
  await expect(kind.getByRole("radio", { name: /^Исправление/ })).toBeChecked();
  await kind.getByRole("radio", { name: /^Важное изменение/ }).check();
  await publishDialog(author).getByRole("button", { name: "Опубликовать изменения" }).click();
  await expect(publishDialog(author)).toHaveCount(0);

  const { page } = await tabFor(classroom.learner);
  await page.goto("/");
  await expect(changes(page).getByRole("listitem")).toHaveCount(1);
  await expect(changes(page)).toContainText("Основы Rust");
  await expectAccessibleEverywhere(page, "home with important changes");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "home with important changes, at 360 px");
  await changes(page).getByRole("link", { name: "Переменные" }).click();
  await page.waitForURL(`**/view-page/${first}`);
  await expect(note(page)).toContainText("важное изменение");
  await reread(page).click();
  await expect(note(page)).toHaveCount(0);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Я учусь" })).toBeVisible();
  await expect(changes(page)).toHaveCount(0);

  // A correction is not listed, nor is a page that was never read.
  await change(classroom, first, "Текст. Опечатка.");
  await change(classroom, last, "Ещё. Важно.", { importance: "IMPORTANT" });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Я учусь" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(changes(page)).toHaveCount(0);
});

test("the list of important changes does not move the courses, and shows the others on demand", async ({
  classroom,
  tabFor,
}) => {
  const { server, owner, learner, lessonId } = classroom;
  const more: string[] = [];
  for (const title of [
    "Срезы",
    "Время жизни",
    "Очень длинное название страницы о владении, заимствовании и времени жизни",
  ]) {
    const created = await post(
      server.url,
      `/api/v1/courses/create_page/${lessonId}`,
      { title, ...content("Ещё.") },
      owner.token,
    );
    more.push(created.id);
  }
  const pages = [classroom.pages[0], classroom.pages[2], ...more];
  for (const id of pages) {
    await visit(server, learner, id);
    await saveDraft(classroom, id, content("Иначе."));
  }
  await publishAll(classroom, { importance: "IMPORTANT" });
  const { page } = await tabFor(learner);
  const shifts = await recordShifts(page);
  for (const size of [
    { width: 1280, height: 800 },
    { width: 360, height: 740 },
  ]) {
    await resize(page, size);
    await page.goto("/");
    await expect(changes(page).getByRole("listitem")).toHaveCount(3);
    await page.waitForLoadState("networkidle");
    expect(await shifts(), `layout shift at ${size.width} px`).toBeLessThan(0.005);
    await expectNoHorizontalScroll(page, `home at ${size.width} px`);
  }
  await changes(page)
    .getByRole("button", { name: /Показать ещё\s2/ })
    .click();
  await expect(changes(page).getByRole("listitem")).toHaveCount(5);
  await expect(changes(page).getByRole("link").nth(3)).toBeFocused();
});

test("staff are told of no change", async ({ classroom, tabFor }) => {
  const [first] = classroom.pages;
  await change(classroom, first, "Текст. Точнее.", { importance: "IMPORTANT" });
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/view-page/${first}`);
  await expect(page.getByText("Текст. Точнее.")).toBeVisible();
  await expect(note(page)).toHaveCount(0);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Я преподаю" })).toBeVisible();
  await expect(changes(page)).toHaveCount(0);
});
