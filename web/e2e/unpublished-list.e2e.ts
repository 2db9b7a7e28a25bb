import type { Page } from "@playwright/test";
import { expectAccessibleEverywhere, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { content, saveDraft } from "./changes.ts";
import { type Classroom, everyKind, test } from "./classroom.ts";
import { expect } from "./fixtures.ts";
import { contentField, publishButton, publishDialog, seenPage, textOf } from "./page-editor.ts";
import { tabTo } from "./ui.ts";

/** The list of a course's unpublished changes, their marks in the contents, and the preview with them. */

const incomplete = {
  quiz: {
    ...everyKind,
    questions: everyKind.questions.map((one) => ("value" in one ? { ...one, value: null } : one)),
  },
};

/** Changes of both text pages and of the quiz, which lacks an answer. */
async function saveThree(classroom: Classroom): Promise<void> {
  const [first, quiz, last] = classroom.pages;
  await saveDraft(classroom, first, content("Текст. Точнее."));
  await saveDraft(classroom, quiz, incomplete);
  await saveDraft(classroom, last, { ...content("Ещё. И это."), title: "Что потом" });
}

const list = (page: Page) => page.getByRole("list", { name: "Страницы с неопубликованными изменениями" });
const rows = (page: Page) => list(page).getByRole("listitem");
const select = (page: Page, title: string) => page.getByRole("checkbox", { name: `Выбрать «${title}»` });
const seen = async ({ server, owner }: Classroom, id: string) =>
  textOf((await seenPage(server, owner.token, id)).content);

async function openList(page: Page, { courseId }: Classroom): Promise<void> {
  await page.goto(`/edit-course/${courseId}?view=unpublished`);
  await expect(page.getByRole("heading", { name: "Неопубликованные изменения" })).toBeVisible();
}

test("the contents mark changed pages and lead to the list with their number", async ({
  classroom,
  tabFor,
}) => {
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${classroom.courseId}`);
  await expect(page.getByRole("row", { name: /Переменные/ })).toBeVisible();
  await expect(page.getByText("Есть изменения")).toHaveCount(0);
  await saveThree(classroom);
  // The marks are read again when the author returns to the window.
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByText("Есть изменения")).toHaveCount(3);
  await expectAccessibleEverywhere(page, "contents with unpublished changes");
  await page.getByRole("link", { name: /3\sстраницы с неопубликованными изменениями/ }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).nth(0)).toContainText("Начало › Первые шаги");
  await expect(rows(page).nth(0)).toContainText("Соколова Вера Павловна");
  await expect(rows(page).nth(1)).toContainText("Не дописано");
  await expect(rows(page).nth(2)).toContainText("Что потом");
  await expectAccessibleEverywhere(page, "the list of unpublished changes");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "the list of unpublished changes at 360 px");
  await page.getByRole("link", { name: /^К\sсодержанию$/ }).click();
  await expect(page.getByRole("treegrid")).toBeVisible();
});

test("a selection is published, then everything that is complete", async ({ classroom, tabFor }) => {
  await saveThree(classroom);
  const [first, quiz, last] = classroom.pages;
  const { page } = await tabFor(classroom.owner);
  await openList(page, classroom);
  await select(page, "Переменные").check();
  await page.getByRole("button", { name: /^Опубликовать\s1$/ }).click();
  const question = page.getByRole("dialog", { name: /Опубликовать изменения 1\sстраницы/ });
  await expect(question.getByRole("listitem")).toHaveText(["Переменные"]);
  await question.getByRole("button", { name: "Опубликовать изменения" }).click();
  await expect(rows(page)).toHaveCount(2);
  expect(await seen(classroom, first)).toBe("Текст. Точнее.");
  expect(await seen(classroom, last)).toBe("Ещё.");

  await page.getByRole("button", { name: "Опубликовать всё" }).click();
  const all = page.getByRole("dialog");
  await expect(all.getByText(/1\sстраница не дописана/)).toBeVisible();
  await expectAccessibleEverywhere(page, "publishing all changes");
  await all.getByRole("button", { name: "Опубликовать изменения" }).click();
  await expect(rows(page)).toHaveCount(1);
  expect(await seen(classroom, last)).toBe("Ещё. И это.");
  await page.getByRole("button", { name: "Опубликовать всё" }).click();
  await expect(page.getByRole("alert")).toContainText("Публиковать пока нечего");
  await rows(page).getByRole("link", { name: "Проверьте себя" }).click();
  await page.waitForURL(`**/edit-page/${quiz}`);
});

test("pages that have changed since they were listed are named, and nothing is published", async ({
  classroom,
  tabFor,
}) => {
  const [first, , last] = classroom.pages;
  await saveDraft(classroom, first, content("Текст. Точнее."));
  await saveDraft(classroom, last, content("Ещё. И это."));
  const { page } = await tabFor(classroom.owner);
  await openList(page, classroom);
  await expect(rows(page)).toHaveCount(2);
  await saveDraft(classroom, last, { ...content("Ещё. И то."), userSessionId: "other" });
  await page.getByRole("button", { name: "Опубликовать всё" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Опубликовать изменения" }).click();
  await expect(page.getByRole("alert")).toContainText("«Что дальше»");
  expect(await seen(classroom, first)).toBe("Текст.");
  await expectAccessibleEverywhere(page, "a conflict of the list");
  await page.getByRole("button", { name: "Опубликовать всё" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Опубликовать изменения" }).click();
  await expect(page.getByText("Неопубликованных изменений нет")).toBeVisible();
  expect(await seen(classroom, last)).toBe("Ещё. И то.");
  await expectAccessibleEverywhere(page, "an empty list of unpublished changes");
});

test("the list is used with the keyboard alone", async ({ classroom, tabFor }) => {
  const [first, , last] = classroom.pages;
  await saveDraft(classroom, first, content("Текст. Точнее."));
  await saveDraft(classroom, last, content("Ещё. И это."));
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${classroom.courseId}`);
  await tabTo(page, page.getByRole("link", { name: /2\sстраницы с неопубликованными/ }));
  await page.keyboard.press("Enter");
  await tabTo(page, select(page, "Что дальше"));
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("button", { name: "Сравнить: Что дальше" }));
  await page.keyboard.press("Enter");
  await expect(publishDialog(page).getByText("И это.").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Сравнить: Что дальше" })).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: /^Опубликовать\s1$/ }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("dialog").getByRole("button", { name: "Опубликовать изменения" }));
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(1);
  expect(await seen(classroom, last)).toBe("Ещё. И это.");
  expect(await seen(classroom, first)).toBe("Текст.");
});

test("changes behind the published text are marked, compared and published from the list", async ({
  classroom,
  tabFor,
}) => {
  const [first] = classroom.pages;
  await saveDraft(classroom, first, content("Текст. Точнее."));
  await saveDraft(classroom, first, { draft: false, ...content("Текст. Иначе.") });
  const { page } = await tabFor(classroom.owner);
  await openList(page, classroom);
  await expect(rows(page)).toContainText("Опубликованный текст поменяли");
  await page.getByRole("button", { name: "Сравнить: Переменные" }).click();
  await expect(publishDialog(page).getByText("публикация заменит и те правки")).toBeVisible();
  await publishDialog(page).getByRole("button", { name: "Опубликовать изменения" }).click();
  await expect(page.getByText("Неопубликованных изменений нет")).toBeVisible();
  expect(await seen(classroom, first)).toBe("Текст. Точнее.");
});

test("the list says why it is not there, and publishes nothing offline", async ({ classroom, tabFor }) => {
  await saveDraft(classroom, classroom.pages[0], content("Текст. Точнее."));
  const { page } = await tabFor(classroom.owner);
  await page.route("**/graphql", (route) =>
    route.request().postDataJSON()?.operationName === "UnpublishedList"
      ? route.fulfill({ status: 500, json: { errors: [{ message: "Сбой" }] } })
      : route.continue(),
  );
  await openList(page, classroom);
  const retry = page.getByRole("button", { name: "Повторить" });
  await expect(retry).toBeVisible();
  await expectAccessibleEverywhere(page, "a list that could not be loaded");
  await page.unroute("**/graphql");
  await retry.click();
  await expect(rows(page)).toHaveCount(1);
  await page.context().setOffline(true);
  await expect(page.getByText("Публиковать можно будет, когда она появится")).toBeVisible();
  await expect(page.getByRole("button", { name: "Опубликовать всё" })).toBeDisabled();
  await page.context().setOffline(false);
});

test("learners and teachers have no list, and no mark tells them of changes", async ({
  classroom,
  tabFor,
}) => {
  await saveThree(classroom);
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/edit-course/${classroom.courseId}?view=unpublished`);
  await page.waitForURL(`**/view-course/${classroom.courseId}`);
  await page.goto(`/view-page/${classroom.pages[2]}`);
  await expect(page.getByRole("heading", { level: 1, name: "Что дальше" })).toBeVisible();
  await expect(page.getByText("И это.")).toHaveCount(0);
  await expect(page.getByText("Что потом")).toHaveCount(0);
});

test("a preview shows what learners see, and unpublished changes on demand, with a way back to editing", async ({
  classroom,
  tabFor,
}) => {
  await saveThree(classroom);
  const { courseId, pages, owner } = classroom;
  const { page } = await tabFor(owner);
  const base = `/preview/${courseId}/new/now`;
  await page.goto(`${base}/${pages[2]}`);
  await expect(page.getByRole("heading", { level: 1, name: "Что дальше" })).toBeVisible();
  await expect(page.getByText("Ещё.", { exact: true })).toBeVisible();
  const toggle = page.getByRole("checkbox", { name: "С неопубликованными изменениями" });
  await expect(toggle).not.toBeChecked();
  await toggle.click();
  await expect(page).toHaveURL(`${base}/drafts/${pages[2]}`);
  await expect(page.getByRole("heading", { level: 1, name: "Что потом" })).toBeVisible();
  await expect(page.getByText("Ещё. И это.")).toBeVisible();
  await expectAccessibleEverywhere(page, "a preview with unpublished changes");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "a preview with unpublished changes at 360 px");
  await page.getByRole("link", { name: "Править эту страницу" }).click();
  await page.waitForURL(`**/edit-page/${pages[2]}`);
  await expect(contentField(page)).toHaveText("Ещё. И это.");
  await expect(publishButton(page)).toBeVisible();
});
