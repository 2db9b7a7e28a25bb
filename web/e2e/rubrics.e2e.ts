import type { Page } from "@playwright/test";
import { expectAccessibleInBothThemes, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { add, box, test as builderTest, savedState, storedQuiz, write } from "./builder.ts";
import { createClassroom } from "./classroom.ts";
import { expect, test, viewports } from "./fixtures.ts";
import { createPictureClass, createRubricClass, released, rubric, rubricQuiz } from "./rubrics.ts";
import { field } from "./ui.ts";

const narrow = { width: 360, height: 740 };
const heading = (page: Page) => page.getByRole("article").getByRole("heading", { level: 2 });
const points = (page: Page) => page.getByRole("textbox", { name: /^Баллы, из/ });
const comments = (page: Page) => page.getByRole("list", { name: "Комментарии к местам ответа" });
const pin = (page: Page, number: number) =>
  page.getByRole("textbox", { name: new RegExp(`^Комментарий ${number}:`) });
const criterion = (page: Page, name: string) =>
  page.getByRole("group", { name: "Критерии оценки" }).getByRole("button", { name: new RegExp(`^${name}`) });
/** The button of a toast; the toolbar of the page has one of the same name. */
const undo = (page: Page) => page.getByText("Отменить", { exact: true });
const openQueue = (page: Page, { courseId }: { courseId: string }) =>
  page.goto(`/edit-course/${courseId}?tab=grading`);
const [explanation, example, language] = rubric.criteria;

/** Checks the screen on a phone of 360 px and on a wide screen, in both themes. */
async function expectAccessibleOnBoth(page: Page, screen: string): Promise<void> {
  for (const viewport of [narrow, viewports.desktop]) {
    await resize(page, viewport);
    await expectAccessibleInBothThemes(page, `${screen}, ${viewport.width}`);
    await expectNoHorizontalScroll(page, `${screen}, ${viewport.width}`);
  }
}

builderTest(
  "an author writes a rubric by keys, takes back a removal, and takes the rubric for another question",
  async ({ draftId, classroom, openBuilder }) => {
    const page = await openBuilder(draftId);
    await add(page, "Развёрнутый ответ");
    await write(box(page, "Вопрос"), "Почему небо синее?");
    await box(page, "Баллы").fill("4");
    await page.getByRole("button", { name: "Добавить критерии оценки" }).press("Enter");
    await expect(box(page, "Критерий 1")).toBeFocused();
    await page.keyboard.type("Физика");
    await expect(page.getByText("до 4 баллов")).toBeVisible();
    await box(page, "Описание: Полностью").fill("Названо рассеяние.");
    await page.getByRole("button", { name: "Добавить критерий", exact: true }).press("Enter");
    await expect(box(page, "Критерий 2")).toBeFocused();
    await page.keyboard.type("Пример");
    const levels = page.getByRole("list", { name: "Уровни: Пример" });
    await box(page, "Баллы: Полностью").last().fill("2,5");
    await box(levels, "Уровень 3").press("Enter");
    await expect(box(levels, "Уровень 4")).toBeFocused();
    await page.keyboard.type("Не к месту");
    await expect(page.getByRole("textbox", { name: "Баллы", exact: true })).toHaveValue("6,5");
    await expect(page.getByRole("textbox", { name: "Баллы", exact: true })).not.toBeEditable();

    await levels.getByRole("button", { name: "Убрать: Частично" }).press("Enter");
    await expect(levels.getByRole("textbox", { name: /^Уровень/ })).toHaveCount(3);
    await undo(page).press("Enter");
    await expect(levels.getByRole("textbox", { name: /^Уровень/ })).toHaveCount(4);
    await page.getByRole("button", { name: "Убрать: Физика" }).press("Enter");
    await expect(page.getByRole("textbox", { name: "Баллы", exact: true })).toHaveValue("2,5");
    await undo(page).press("Enter");
    await page.getByRole("button", { name: "Ниже: Физика" }).press("ArrowDown");
    await expect(box(page, "Критерий 1")).toHaveValue("Пример");
    await box(page, "Критерий 1").fill("");
    await expect(page.getByText("Назовите критерий")).toHaveCount(0);
    await page.getByRole("button", { name: /^1\. Почему небо/ }).click();
    await page.getByRole("button", { name: /^1\. Почему небо/ }).click();
    await expect(page.getByText("Назовите критерий")).toBeVisible();
    await expectAccessibleOnBoth(page, "a rubric without a name in the builder");
    await box(page, "Критерий 1").fill("Пример");
    await box(page, "Критерий 1").blur();
    await expect(savedState(page)).toBeVisible();
    const [stored] = (await storedQuiz(classroom, draftId)).questions;
    expect(stored).toMatchObject({ points: 6.5, rubric: { is_shown: true } });
    expect(stored.rubric.criteria.map(({ name }: { name: string }) => name)).toEqual(["Пример", "Физика"]);

    await add(page, "Ответ файлами");
    await write(box(page, "Вопрос"), "Приложите снимок.");
    await page.getByRole("button", { name: "Взять из другого вопроса…" }).click();
    const dialog = page.getByRole("dialog", { name: "Критерии из другого вопроса" });
    await dialog.getByRole("radio", { name: /Почему небо синее/ }).check();
    await expect(dialog.getByRole("list", { name: "Критерии оценки" })).toContainText("Названо рассеяние.");
    await expectAccessibleOnBoth(page, "the rubrics of a course");
    await dialog.getByRole("button", { name: "Взять критерии" }).click();
    await expect(page.getByRole("textbox", { name: "Баллы", exact: true })).toHaveValue("6,5");
    await expect(savedState(page)).toBeVisible();
    await page.getByRole("button", { name: "Убрать критерии" }).click();
    await expect(page.getByRole("button", { name: "Добавить критерии оценки" })).toBeFocused();
    await undo(page).click();
    await expect(savedState(page)).toBeVisible();
    const [first, second] = (await storedQuiz(classroom, draftId)).questions;
    expect(second.rubric.criteria.map(({ name }: { name: string }) => name)).toEqual(["Пример", "Физика"]);
    expect(second.rubric.criteria[0].id).not.toBe(first.rubric.criteria[0].id);

    await page.getByRole("button", { name: "Пройти как ученик" }).click();
    await expect(page.getByText("Как оценивают").first()).toBeVisible();
  },
);

test("a learner reads the rubric before answering", async ({ server, tabFor }) => {
  const classroom = await createClassroom(server, rubricQuiz);
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${classroom.quizId}`);
  const list = page.getByRole("list", { name: "Критерии оценки" });
  await expect(list).toContainText("Названы время жизни и проверка при компиляции.");
  await expect(list.getByRole("list", { name: "Уровни" })).toHaveCount(3);
  await expectAccessibleOnBoth(page, "a question with its rubric");
  await page.getByText("Как оценивают").click();
  await expect(list).toBeHidden();
});

test("a teacher grades by the rubric with the keyboard alone, in at most four actions per short answer", async ({
  server,
  tabFor,
}) => {
  const classroom = await createRubricClass(server, 3);
  const { page } = await tabFor(classroom.owner);
  await openQueue(page, classroom);
  await page.getByRole("button", { name: "Начать проверку" }).press("Enter");
  const actions: number[] = [];
  for (const keys of [
    ["1", "2", "1"],
    ["2", "1", "2"],
    ["3", "3", "1"],
  ]) {
    await expect(criterion(page, "Объяснение")).toHaveAttribute("aria-expanded", "true");
    const name = await heading(page).textContent();
    for (const key of keys) await page.keyboard.press(key);
    await expect(points(page)).not.toBeEditable();
    await page.keyboard.press("Control+Enter");
    actions.push(keys.length + 1);
    await expect(heading(page).filter({ hasText: name ?? "" })).toHaveCount(0);
  }
  await expect(page.getByRole("heading", { name: "Всё проверено" })).toBeVisible();
  expect(actions.sort((a, b) => a - b)[1], "the median of the actions").toBeLessThanOrEqual(4);
  const stored = await released(classroom);
  expect(stored.map(({ points }) => points).sort()).toEqual([1, 4, 5]);

  await page.getByRole("combobox", { name: "Состояние" }).selectOption("Опубликованы");
  await page.getByRole("navigation", { name: "Очередь проверки" }).getByRole("link").first().press("Enter");
  await expect(points(page)).not.toBeEditable();
  await page.getByRole("button", { name: "Сбросить выбор" }).click();
  await points(page).fill("2,5");
  await points(page).press("Control+Enter");
  await expect.poll(async () => (await released(classroom)).some(({ points }) => points === 2.5)).toBe(true);
});

test("marks and comments on places reach the learner, who moves between them by keys", async ({
  server,
  tabFor,
}) => {
  const classroom = await createRubricClass(server);
  const { page } = await tabFor(classroom.owner);
  await openQueue(page, classroom);
  await page.getByRole("button", { name: "Начать проверку" }).press("Enter");
  await expect(criterion(page, "Объяснение")).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("1");
  await page.keyboard.press("2");
  await field(page, "Комментарий к критерию: Язык").fill("Живо и точно.");
  await page.getByRole("button", { name: /^1 Хорошо/ }).press("Enter");
  await expect(points(page)).toHaveValue("5");

  // A sentence by keys, and a phrase by mouse.
  await page.keyboard.press("c");
  await page.keyboard.press("ArrowDown");
  await expectAccessibleOnBoth(page, "the choice of a place by keys");
  await page.keyboard.press("Enter");
  await expect(pin(page, 1)).toBeFocused();
  await page.keyboard.type("А если память ещё жива?");
  const paragraph = page.getByRole("region", { name: "Ответ ученика" }).locator("p").last();
  await paragraph.scrollIntoViewIfNeeded();
  await paragraph.evaluate((element) => {
    const node = element.querySelector("[data-at]")?.firstChild;
    if (node) getSelection()?.setBaseAndExtent(node, 10, node, 21);
  });
  await page.getByRole("button", { name: "Комментарий", exact: true }).click();
  await expect(pin(page, 2)).toBeFocused();
  await page.keyboard.type("Покажите это в коде.");
  await expect(comments(page)).toContainText("«срез строки»");
  await expectAccessibleOnBoth(page, "an answer with marks and comments on its places");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { name: "Всё проверено" })).toBeVisible();
  const [stored] = await released(classroom);
  expect(stored?.marks.map(({ levelId, comment }) => [levelId, comment])).toEqual([
    [explanation?.levels[0]?.id, null],
    [example?.levels[1]?.id, null],
    [language?.levels[0]?.id, "Живо и точно."],
  ]);
  // The crab is one code point and two UTF-16 units.
  expect(stored?.pins.map(({ start, end, comment }) => [start, end, comment])).toEqual([
    [80, 142, "А если память ещё жива?"],
    [152, 163, "Покажите это в коде."],
  ]);

  const learner = (await tabFor(classroom.learners[0] ?? classroom.learner)).page;
  await learner.goto(`/view-page/${classroom.quizId}`);
  const question = learner.locator("section").filter({ hasText: "Почему заимствование" }).first();
  await expect(question).toContainText("5 из 6 баллов");
  await expect(question).toContainText("Полное — Названы время жизни");
  await expect(question).toContainText("Живо и точно.");
  await expect(question.locator("mark")).toHaveText([/^Указатель этого не обещает/, "срез строки"]);
  await expectAccessibleOnBoth(learner, "a result with marks and comments on places");
  await learner.getByRole("button", { name: "Комментарий 2", exact: true }).press("Enter");
  await expect(comments(learner).getByRole("listitem").nth(1)).toBeFocused();
  await learner.getByRole("button", { name: "К месту комментария 1" }).press("Enter");
  await expect(learner.getByRole("button", { name: "Комментарий 1", exact: true })).toBeFocused();
});

test("a teacher marks places of a picture by mouse and by keys, and the learner sees them", async ({
  server,
  tabFor,
}) => {
  const classroom = await createPictureClass(server);
  const { page } = await tabFor(classroom.owner);
  await openQueue(page, classroom);
  await page.getByRole("button", { name: "Начать проверку" }).click();
  const image = page.getByRole("region", { name: "Ответ ученика" }).locator("img");
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
  const { width = 0, height = 0 } = (await image.boundingBox()) ?? {};
  await image.click({ position: { x: width * 0.25, y: height * 0.2 } });
  await expect(pin(page, 1)).toBeFocused();
  await page.keyboard.type("Здесь нужен заголовок.");
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  const point = page.getByRole("button", { name: /^Комментарий 2: 50 % слева/ });
  await expect(point).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByRole("button", { name: /^Комментарий 2: 51 % слева, 60 % сверху/ }).press("Enter");
  await expect(pin(page, 2)).toBeFocused();
  await page.keyboard.type("А это хорошо.");
  await expectAccessibleOnBoth(page, "a picture with comments");
  await points(page).fill("4");
  await points(page).press("Control+Enter");
  await expect(page.getByRole("heading", { name: "Всё проверено" })).toBeVisible();
  const [stored] = await released(classroom);
  expect(stored?.pins.map(({ comment }) => comment)).toEqual(["Здесь нужен заголовок.", "А это хорошо."]);
  expect(stored?.pins[0]?.x).toBeCloseTo(25, 0);
  expect(stored?.pins[1]).toMatchObject({ x: 51, y: 60 });

  const learner = (await tabFor(classroom.learner)).page;
  await learner.goto(`/view-page/${classroom.quizId}`);
  await expect(comments(learner).getByRole("listitem")).toHaveCount(2);
  await expectAccessibleOnBoth(learner, "a result with comments on a picture");
  await learner.getByRole("button", { name: /^Комментарий 1: 25 % слева/ }).press("Enter");
  await expect(comments(learner).getByRole("listitem").first()).toBeFocused();
});

test("marks and comments on places survive closing the tab", async ({ server, tabFor }) => {
  const classroom = await createRubricClass(server);
  const { page, context } = await tabFor(classroom.owner);
  await openQueue(page, classroom);
  await page.getByRole("button", { name: "Начать проверку" }).click();
  await expect(criterion(page, "Объяснение")).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("2");
  await page.keyboard.press("c");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Какое время?");
  const address = page.url();
  await page.close({ runBeforeUnload: false });
  const again = await context.newPage();
  await again.goto(address);
  await expect(criterion(again, "Объяснение")).toContainText("Частичное");
  await expect(pin(again, 1)).toHaveValue("Какое время?");
  await again.keyboard.press("Control+Enter");
});
