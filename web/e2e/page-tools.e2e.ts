import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { expectAccessible } from "./accessibility.ts";
import { type Account, courseTree, createCourse, enroll, generateShareCode, signUp, visit } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { scrollToEnd, waitForPage } from "./ui.ts";

const text = (words: string) => ({ type: "text", text: words });
const paragraph = (words: string) => ({ type: "paragraph", content: [text(words)] });
const heading = (level: number, words: string) => ({
  type: "heading",
  attrs: { level },
  content: [text(words)],
});
const filler = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) =>
    paragraph(`${name}, абзац ${at + 1}. Владение — это правила, по которым программа управляет памятью.`),
  );
const long = [
  ...filler(12, "Вступление"),
  heading(2, "Стек и куча"),
  ...filler(25, "Стек"),
  heading(3, "Куча отдельно"),
  ...filler(25, "Куча"),
  heading(2, "Правила владения"),
  ...filler(25, "Правила"),
];

interface Class {
  owner: Account;
  learner: Account;
  courseId: string;
  pages: string[];
}

async function setContent(server: Server, owner: Account, pageId: string | undefined, content: unknown[]) {
  const update = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  await graphql(server.url, owner.token, update, { input: { pageId, content: { type: "doc", content } } });
}

/** A course of four pages: the first is long and has headings. */
async function createClass(server: Server): Promise<Class> {
  const [owner, learner] = [await signUp(server, "Учитель"), await signUp(server)];
  const courseId = await createCourse(server, owner, "Основы Rust", {
    Начало: { Владение: ["Владение", "Ссылки", "Срезы", "Итоги"] },
  });
  const { modules } = await courseTree(server, owner.token, courseId);
  const pages = modules.flatMap(({ lessons }) =>
    lessons.flatMap((lesson) => lesson.pages.map(({ id }) => id)),
  );
  await setContent(server, owner, pages[0], long);
  await enroll(server, learner, await generateShareCode(server, owner, courseId));
  return { owner, learner, courseId, pages };
}

const onPage = (page: Page) => page.getByRole("navigation", { name: "На этой странице" });
const scrolled = (page: Page) => page.evaluate(() => window.scrollY);
const textLeft = async (page: Page) =>
  (await page.getByText("Вступление, абзац 1.").boundingBox())?.x ?? Number.NaN;

test("the contents of a page follow the scroll, and their links lead there with the focus", async ({
  server,
  tabFor,
}) => {
  const { learner, pages } = await createClass(server);
  const { page } = await tabFor(learner);
  await page.goto(`/view-page/${pages[0]}`);
  await expect(page.getByText("Вступление, абзац 1.")).toBeVisible();
  const before = await textLeft(page);
  await expect(onPage(page).getByRole("link")).toHaveText([
    "Стек и куча",
    "Куча отдельно",
    "Правила владения",
  ]);
  await expect(page.getByText("5 минут чтения")).toBeVisible();
  await expect(onPage(page).locator("[aria-current]")).toHaveCount(0);
  await expectAccessible(page, "a page with contents");

  await page.getByText("Куча, абзац 10.").evaluate((block) => block.scrollIntoView());
  await expect(onPage(page).locator("[aria-current=location]")).toHaveText("Куча отдельно");
  await onPage(page).getByRole("link", { name: "Стек и куча" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#%D1%81%D1%82%D0%B5%D0%BA-%D0%B8-%D0%BA%D1%83%D1%87%D0%B0$/);
  await expect(page.getByRole("heading", { name: "Стек и куча" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Стек и куча" })).toBeInViewport();
  await expect(onPage(page).locator("[aria-current=location]")).toHaveText("Стек и куча");

  // A page without headings has no contents, and its text is at the same place.
  await page.goto(`/view-page/${pages[1]}`);
  await expect(page.getByRole("heading", { level: 1, name: "Ссылки" })).toBeVisible();
  await expect(onPage(page)).toHaveCount(0);
  const title = await page.getByRole("heading", { level: 1 }).boundingBox();
  expect(title?.x).toBe(before);
});

test("on a phone the contents are a sheet behind a button", async ({ server, tabFor }) => {
  const { learner, pages } = await createClass(server);
  const { page } = await tabFor(learner, { viewport: "phone" });
  await page.goto(`/view-page/${pages[0]}`);
  await page.getByRole("button", { name: "На этой странице" }).click();
  const sheet = page.getByRole("dialog", { name: "На этой странице" });
  await expect(sheet).toBeVisible();
  await expectAccessible(page, "the contents of a page on a phone");
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole("button", { name: "На этой странице" })).toBeFocused();
  await page.getByRole("button", { name: "На этой странице" }).click();
  await sheet.getByRole("link", { name: "Правила владения" }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Правила владения" })).toBeInViewport();
  await expect(page.getByRole("heading", { name: "Правила владения" })).toBeFocused();
});

test("the sidebar of the reading screen folds by button and key, and stays folded after a reload", async ({
  server,
  tabFor,
}) => {
  const { learner, courseId, pages } = await createClass(server);
  const { page } = await tabFor(learner);
  await page.goto(`/view-page/${pages[0]}`);
  const sidebar = page.getByRole("complementary");
  const button = page.getByRole("button", { name: "Боковая панель" });
  await expect(button).toHaveAttribute("aria-expanded", "true");
  await button.click();
  await expect(sidebar).toBeHidden();
  await expect(button).toBeFocused();
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await expectAccessible(page, "a page without its sidebar");

  await page.reload();
  await expect(page.getByText("Вступление, абзац 1.")).toBeVisible();
  await expect(sidebar).toBeHidden();
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Control+Backslash");
  await expect(sidebar).toBeVisible();
  // The focus does not stay in what is hidden.
  await page.getByRole("link", { name: "Мои курсы" }).focus();
  await page.keyboard.press("Control+Backslash");
  await expect(sidebar).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();

  await page.goto(`/view-course/${courseId}`);
  await expect(sidebar).toBeVisible();
});

test("the end of a page tells of skipped pages, and the last page leads to what is left", async ({
  server,
  tabFor,
}) => {
  const { learner, pages } = await createClass(server);
  await visit(server, learner, pages[1] ?? "");
  const { page } = await tabFor(learner);
  await page.goto(`/view-page/${pages[2]}`);
  const main = page.getByRole("main");
  await expect(main.getByText("Пропущена 1 страница.")).toBeVisible();
  await expect(main.getByRole("link", { name: /^Дальше/ })).toHaveAttribute("href", `/view-page/${pages[3]}`);
  await main.getByRole("link", { name: "Вернуться: Владение" }).click();
  await waitForPage(page, pages[0] ?? "");

  // Read to its end, the last page leads back to what was skipped.
  await page.goto(`/view-page/${pages[3]}`);
  await scrollToEnd(page);
  await expect(main.getByText(/Осталось пройти ещё 2.страницы/)).toBeVisible();
  await expect(main.getByRole("link", { name: "Дальше Владение" })).toHaveAttribute(
    "href",
    `/view-page/${pages[0]}`,
  );
  await expect(main.getByText("Курс пройден")).toHaveCount(0);
});

/** Scrolls to a paragraph and waits until the server has its place. */
async function stopAt(page: Page, words: string): Promise<void> {
  const kept = page.waitForResponse((answer) =>
    (answer.request().postData() ?? "").includes("KeepReadingPlace"),
  );
  await page
    .getByText(words, { exact: false })
    .first()
    .evaluate((block) => block.scrollIntoView());
  await kept;
}

const stopped = (page: Page) => page.getByText("Вы остановились здесь");

test("a page opens at the place where another device stopped", async ({ server, tabFor }) => {
  const { owner, learner, courseId, pages } = await createClass(server);
  const first = await tabFor(learner);
  await first.page.goto(`/view-page/${pages[0]}`);
  await expect(first.page.getByText("Вступление, абзац 1.")).toBeVisible();
  await expect(first.page.locator("article [aria-busy=true]")).toHaveCount(0);
  await stopAt(first.page, "Куча, абзац 12.");
  await first.context.close();

  const { page } = await tabFor(learner, { viewport: "tablet" });
  await page.goto(`/view-course/${courseId}`);
  await page
    .getByRole("link", { name: /Продолжить|Начать/ })
    .first()
    .click();
  await waitForPage(page, pages[0] ?? "");
  await expect(page.getByText("Куча, абзац 12.")).toBeInViewport();
  await expect(stopped(page)).toBeVisible();
  await expectAccessible(page, "a page that opens where reading stopped");
  const top = await page.getByText("Куча, абзац 12.").evaluate((block) => block.getBoundingClientRect().top);
  // Below the bar, which this screen has and the first did not, or lower by the space between two paragraphs.
  expect(top).toBeGreaterThan(48);
  expect(top).toBeLessThan(76);
  await page.getByRole("button", { name: "К началу страницы" }).click();
  await expect.poll(() => scrolled(page)).toBe(0);
  await expect(stopped(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();

  // A fragment wins.
  const third = await tabFor(learner);
  await third.page.goto(`/view-page/${pages[0]}#стек-и-куча`);
  await expect(third.page.getByRole("heading", { name: "Стек и куча" })).toBeInViewport();
  await expect(stopped(third.page)).toHaveCount(0);

  // In a text that was changed since, the heading above leads to the place.
  await stopAt(third.page, "Куча, абзац 20.");
  await third.context.close();
  await setContent(server, owner, pages[0], [...filler(40, "Новое"), ...long]);
  const fourth = await tabFor(learner);
  await fourth.page.goto(`/view-page/${pages[0]}`);
  await expect(fourth.page.getByRole("heading", { name: "Куча отдельно" })).toBeInViewport();
  await expect(stopped(fourth.page)).toBeVisible();
});

test("a page that was read to its end opens at its top on another device", async ({ server, tabFor }) => {
  const { learner, pages } = await createClass(server);
  const first = await tabFor(learner);
  await first.page.goto(`/view-page/${pages[0]}`);
  await expect(first.page.getByText("Вступление, абзац 1.")).toBeVisible();
  const kept = first.page.waitForResponse((answer) =>
    (answer.request().postData() ?? "").includes("KeepReadingPlace"),
  );
  await scrollToEnd(first.page);
  await kept;
  await first.context.close();
  const { page } = await tabFor(learner);
  await page.goto(`/view-page/${pages[0]}`);
  await expect(page.getByText("Вступление, абзац 1.")).toBeInViewport();
  await expect(onPage(page)).toBeVisible();
  expect(await scrolled(page)).toBe(0);
  await expect(stopped(page)).toHaveCount(0);
});
