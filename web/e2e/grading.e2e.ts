import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { add, box, test as builderTest, savedState, write } from "./builder.ts";
import { createClassroom } from "./classroom.ts";
import { ANSWERS, addGrader, assess, createEssayClass, essayQuiz, LEARNERS, queued } from "./essays.ts";
import { expect, test } from "./fixtures.ts";
import { field } from "./ui.ts";

const queue = (page: Page) => page.getByRole("navigation", { name: "Очередь проверки" });
const rows = (page: Page) => queue(page).getByRole("link");
const heading = (page: Page) => page.getByRole("article").getByRole("heading", { level: 2 });
const points = (page: Page) => page.getByRole("textbox", { name: /^Баллы, из/ });
const comment = (page: Page) => field(page, "Комментарий для ученика");
const open = (page: Page, { courseId }: { courseId: string }) =>
  page.goto(`/edit-course/${courseId}?tab=grading`);
const essay = (page: Page) => page.getByRole("textbox", { name: /Ваш ответ/ });

/** Counts the grader's key presses and clicks. */
function counting(page: Page) {
  let actions = 0;
  return {
    press: async (key: string) => {
      actions += 1;
      await page.keyboard.press(key);
    },
    /** Returns the number of actions since the last call. */
    taken: () => {
      const taken = actions;
      actions = 0;
      return taken;
    },
  };
}

test("a learner submits an essay, sees that it waits for grading, and then reads the points and the comment", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, essayQuiz());
  const { page } = await tabFor(classroom.learner);
  await page.goto(`/view-page/${classroom.quizId}`);
  await essay(page).click();
  await page.keyboard.type("Потому что");
  await expect(page.getByText("2 слова · нужно от 3 до 60")).toBeVisible();
  await page.getByRole("textbox", { name: /Сколько бит/ }).fill("8");
  await expect(page.getByText("Не хватает 1 слова.")).toBeVisible();
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await expect(page.getByText("Объём ответа не подходит")).toBeVisible();
  await expect(essay(page)).toBeFocused();
  await expectAccessibleEverywhere(page, "an essay that is too short");
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" компилятор проверяет ссылки.");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Пример: срез.");
  await page.reload();
  await expect(essay(page)).toHaveText("Потому что компилятор проверяет ссылки.Пример: срез.");
  await expect(page.getByText("7 слов · нужно от 3 до 60")).toBeVisible();
  await page.getByRole("button", { name: "Отправить ответы" }).click();

  await expect(
    page.getByRole("heading", { name: "Ответы приняты, их проверит преподаватель" }),
  ).toBeFocused();
  await expect(page.getByText("1 ответ ждёт проверки.")).toBeVisible();
  await expect(page.getByText("Результат может только вырасти.")).toBeVisible();
  await expect(page.getByText("Тест пока не пройден")).toHaveCount(0);
  await expectAccessibleEverywhere(page, "a result that waits");

  const [answer] = await queued(classroom);
  if (!answer) throw new Error("the answer does not wait");
  await assess(classroom, classroom.owner, answer, { points: 4.5, comment: "Хорошо.\nПример короткий." });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
  const question = page.locator("section").filter({ hasText: "Почему заимствование" });
  await expect(question).toContainText("4,5 из 5 баллов");
  await expect(question).toContainText("Комментарий преподавателя");
  await expect(question).toContainText("Пример короткий.");
  await expectAccessibleEverywhere(page, "a graded essay");
});

test("a teacher grades with the keyboard alone, in at most four actions per short answer", async ({
  server,
  tabFor,
}) => {
  const classroom = await createEssayClass(server);
  const { page } = await tabFor(classroom.owner);
  await open(page, classroom);
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).first()).toContainText(LEARNERS[0] ?? "");
  await expectAccessibleEverywhere(page, "a grading queue");
  await page.getByRole("button", { name: "Начать проверку" }).press("Enter");

  await expect(heading(page)).toHaveText(LEARNERS[0] ?? "");
  await expect(points(page)).toBeFocused();
  await expect(page.getByRole("region", { name: "Ответ ученика" })).toHaveText(ANSWERS[0] ?? "");
  await expect(page.getByText("Три балла за объяснение, два за пример.")).toBeVisible();
  await expectAccessibleEverywhere(page, "an open answer");

  const keys = counting(page);
  const actions: number[] = [];
  await keys.press("3");
  await keys.press("Enter");
  await expect(comment(page)).toBeFocused();
  await page.keyboard.type("Нет примера");
  await keys.press("Control+Enter");
  actions.push(keys.taken() + 1);
  await expect(heading(page)).toHaveText(LEARNERS[1] ?? "");
  await expect(points(page)).toBeFocused();
  await expect(page.getByRole("list", { name: "Недавние комментарии" })).toContainText("Нет примера");
  await keys.press("5");
  await keys.press("Control+Enter");
  actions.push(keys.taken());
  await expect(heading(page)).toHaveText(LEARNERS[2] ?? "");
  await expect(points(page)).toBeFocused();
  await keys.press("3");
  await keys.press("Alt+1");
  await expect(comment(page)).toHaveValue("Нет примера");
  await keys.press("Control+Enter");
  actions.push(keys.taken());
  await expect(page.getByRole("heading", { name: "Всё проверено" })).toBeVisible();
  expect(actions.sort((a, b) => a - b)[1], "the median of the actions").toBeLessThanOrEqual(4);
  await expect(rows(page)).toHaveCount(0);
  await expectAccessible(page, "a queue without answers");

  await page.getByRole("combobox", { name: "Состояние" }).selectOption("Опубликованы");
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).nth(1)).toContainText("5 из 5");
  await rows(page).first().press("Enter");
  await expect(points(page)).toHaveValue("3");
  await page.keyboard.press("j");
  await expect(heading(page)).toHaveText(LEARNERS[1] ?? "");
  await page.keyboard.press("k");
  await expect(heading(page)).toHaveText(LEARNERS[0] ?? "");
});

test("two graders see each other's claims, and a conflict loses neither grade", async ({
  server,
  tabFor,
}) => {
  const classroom = await createEssayClass(server, { count: 2 });
  const grader = await addGrader(classroom);
  const first = await tabFor(classroom.owner);
  await open(first.page, classroom);
  await first.page.getByRole("button", { name: "Начать проверку" }).click();
  await expect(heading(first.page)).toHaveText(LEARNERS[0] ?? "");

  const second = await tabFor(grader);
  await open(second.page, classroom);
  await expect(rows(second.page).first()).toContainText("сейчас открыт: Соколова Вера Павловна");
  await second.page.getByRole("button", { name: "Начать проверку" }).click();
  await expect(heading(second.page), "the next one, which nobody has open").toHaveText(LEARNERS[1] ?? "");
  await rows(second.page).first().click();
  await expect(second.page.getByText("открыт и у другого проверяющего: Соколова")).toBeVisible();
  await points(second.page).fill("2");
  await comment(second.page).fill("Слишком коротко");

  await points(first.page).fill("4");
  await comment(first.page).fill("Хорошее объяснение");
  await comment(first.page).press("Control+Enter");
  // The second grader had the other answer open a moment ago.
  await expect(first.page.getByText("Остальные ответы сейчас открыты у других")).toBeVisible();

  await comment(second.page).press("Control+Enter");
  const conflict = second.page.getByRole("alert").filter({ hasText: "уже оценил другой проверяющий" });
  await expect(conflict.getByRole("region", { name: "Сохранённая оценка" })).toContainText(
    "Хорошее объяснение",
  );
  await expect(conflict.getByRole("region", { name: "Ваша оценка" })).toContainText("Слишком коротко");
  await expect(points(second.page)).toHaveValue("2");
  await expectAccessibleEverywhere(second.page, "a conflict of graders");
  await comment(second.page).press("Control+Enter");
  await expect(conflict).toHaveCount(0);
  const [stored] = await queued(classroom, "RELEASED");
  expect(stored?.points).toBe(2);
  await second.page.getByRole("combobox", { name: "Состояние" }).selectOption("Опубликованы");
  // Until the list arrives, the one of waiting answers is shown.
  await expect(rows(second.page).first()).toContainText(LEARNERS[0] ?? "");
  await rows(second.page).first().click();
  await second.page.getByText("История: 2 оценки").click();
  await expect(second.page.getByRole("article")).toContainText("Хорошее объяснение");
});

test("points are released together and hidden from learners until then", async ({ server, tabFor }) => {
  const classroom = await createEssayClass(server, { release: "together", count: 2 });
  const { page } = await tabFor(classroom.owner);
  await open(page, classroom);
  for (const answer of await queued(classroom))
    await assess(classroom, classroom.owner, answer, { points: 5, comment: "Отлично" });
  const learner = await tabFor(classroom.learners[0] ?? classroom.learner);
  await learner.page.goto(`/view-page/${classroom.quizId}`);
  await expect(learner.page.getByText("1 ответ ждёт проверки.")).toBeVisible();
  await expect(learner.page.getByText("Отлично")).toHaveCount(0);

  // The grades arrive in the open queue one by one, and the dialog asks about those that were there when it was opened.
  await expect(page.getByText("2 оценки ученики пока не видят.")).toBeVisible();
  await page.getByRole("button", { name: "Опубликовать оценки" }).click();
  await expect(page.getByRole("dialog")).toContainText("Опубликовать 2 оценки?");
  await expect(page.getByRole("dialog")).toContainText("Проверьте себя: 2");
  await expectAccessibleEverywhere(page, "the question before grades are released");
  await page.getByRole("dialog").getByRole("button", { name: "Опубликовать", exact: true }).click();
  await expect(page.getByText("Опубликованы 2 оценки")).toBeVisible();
  await expect(page.getByRole("button", { name: "Опубликовать оценки" })).toHaveCount(0);
  await learner.page.reload();
  await expect(learner.page.getByRole("heading", { name: "Тест пройден" })).toBeVisible();
  await expect(learner.page.getByText("Отлично")).toBeVisible();
});

test("blind grading hides names", async ({ server, tabFor }) => {
  const classroom = await createEssayClass(server, { count: 2 });
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${classroom.courseId}?tab=grades&view=settings`);
  await page.getByRole("checkbox", { name: "Проверять ответы вслепую" }).check();
  await page.getByRole("button", { name: "Сохранить", exact: true }).first().click();
  await expect(page.getByText("Успешно!")).toBeVisible();
  await page.getByRole("link", { name: "Проверка", exact: true }).click();
  await expect(page.getByText("Проверка вслепую: имена учеников скрыты.")).toBeVisible();
  await expect(rows(page).first()).toContainText("Ответ 1");
  await expect(rows(page).last()).toContainText("Ответ 2");
  await page.getByRole("button", { name: "Начать проверку" }).click();
  await expect(heading(page)).toHaveText("Ответ 1");
  for (const name of LEARNERS) await expect(page.getByRole("main")).not.toContainText(name);
});

test("leaving an edited assessment asks first, and it is kept while offline", async ({ server, tabFor }) => {
  const classroom = await createEssayClass(server, { count: 2 });
  const { page, context } = await tabFor(classroom.owner);
  await open(page, classroom);
  await rows(page).first().click();
  await points(page).fill("4");
  await points(page).press("j");
  const question = page.getByRole("dialog");
  await question.getByRole("button", { name: "Вернуться" }).click();
  await expect(points(page)).toHaveValue("4");
  await context.setOffline(true);
  await points(page).press("Control+Enter");
  await expect(page.getByRole("alert").first()).toBeVisible();
  await expect(points(page)).toHaveValue("4");
  await context.setOffline(false);
  await points(page).press("Control+Enter");
  await expect(heading(page)).toHaveText(LEARNERS[1] ?? "");
});

builderTest(
  "an author writes an open question, and the try-out says who grades it",
  async ({ draftId, openBuilder }) => {
    const page = await openBuilder(draftId);
    await add(page, "Развёрнутый ответ");
    await write(box(page, "Вопрос"), "Почему небо синее?");
    await box(page, "Слов не меньше").fill("2");
    await box(page, "Слов не больше").fill("50");
    await page.getByRole("button", { name: "Добавить указания проверяющим" }).click();
    await write(page.getByRole("textbox", { name: /^Указания проверяющим/ }), "Рэлей");
    await page.getByRole("radio", { name: /вместе с остальными/ }).check();
    await expect(savedState(page)).toBeVisible();
    await expectAccessibleEverywhere(page, "an open question in the builder");
    await page.getByRole("button", { name: "Пройти как ученик" }).click();
    await essay(page).click();
    await page.keyboard.type("Свет рассеивается.");
    await page.getByRole("button", { name: "Проверить ответы" }).click();
    await expect(page.getByText("У ученика баллы за них поставит человек.")).toBeVisible();
    await expect(page.getByText("Рэлей")).toHaveCount(0);
  },
);
