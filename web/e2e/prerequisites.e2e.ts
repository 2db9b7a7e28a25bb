import { graphql, post } from "../../scripts/client.mjs";
import { expectAccessibleEverywhere } from "./accessibility.ts";
import { createCourse, signUp } from "./api.ts";
import { type Classroom, createClassroom } from "./classroom.ts";
import { expect, test } from "./fixtures.ts";
import { contents, field, pageLink } from "./ui.ts";

const oneQuestion = {
  pass_percent: 50,
  questions: [
    { type: "single_choice", prompt: "Да?", options: [{ content: "Да", correct: true }, { content: "Нет" }] },
  ],
};

/** Adds the lesson «Типы» with a page to the classroom's course. Returns both ids. */
async function addLesson({ server, owner, courseId }: Classroom) {
  const call = (path: string, body: unknown) =>
    post(server.url, `/api/v1/courses/${path}`, body, owner.token);
  const { id: moduleId } = await call(`create_module/${courseId}`, { title: "Дальше" });
  const { id: lessonId } = await call(`create_lesson/${moduleId}`, { title: "Типы" });
  const { id: pageId } = await call(`create_page/${lessonId}`, { title: "Числа" });
  return { lessonId, pageId };
}

test("an author names what must be completed first, cycles are refused, and the learner is told", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { courseId, lessonId, owner, learner } = classroom;
  const later = await addLesson(classroom);
  const stored = async () => {
    const query = "query ($id: ID!) { course(id: $id) { modules { lessons { prerequisites } } } }";
    const { course } = await graphql(server.url, owner.token, query, { id: courseId });
    return course.modules.map(
      ({ lessons: [lesson] }: { lessons: { prerequisites: string[] }[] }) => lesson?.prerequisites,
    );
  };
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}`);
  const open = async (title: string) => {
    await page.getByRole("button", { name: `Действия: ${title}` }).press("Enter");
    await page.getByRole("menuitem", { name: "Сначала пройти…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: `Сначала пройти: ${title}` });
    await expect(dialog).toBeVisible();
    return dialog;
  };
  let dialog = await open("Типы");
  // Neither the lesson itself nor the module that contains it.
  const choices = dialog.getByRole("group", { name: "Модули и уроки" }).getByRole("checkbox");
  await expect(choices).toHaveCount(2);
  await expectAccessibleEverywhere(page, "the prerequisites of a lesson");
  await dialog.getByRole("checkbox", { name: "Первые шаги" }).press("Space");
  await expect.poll(stored).toEqual([[], [lessonId]]);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  dialog = await open("Первые шаги");
  const cyclic = dialog.getByRole("checkbox", { name: "Типы" });
  await cyclic.press("Space");
  await expect(dialog.getByRole("alert")).toContainText("Типы");
  await expect(cyclic).not.toBeChecked();
  await expectAccessibleEverywhere(page, "a refused prerequisite");
  await page.keyboard.press("Escape");
  expect(await stored()).toEqual([[], [lessonId]]);

  const reader = await tabFor(learner);
  await reader.page.goto(`/view-page/${later.pageId}`);
  await expect(reader.page.getByRole("main")).toContainText("Первые шаги");
  await expect(reader.page.getByRole("heading", { level: 1, name: "Числа" })).toBeVisible();
  await expectAccessibleEverywhere(reader.page, "a page that needs a lesson");

  // The contents tell it, too; completing the lesson opens the page without reloading.
  await reader.page.goto(`/view-course/${courseId}`);
  await expect(reader.page.getByRole("main")).toContainText("Сначала пройдите: «Первые шаги».");
  await reader.page.getByRole("main").getByRole("link", { name: "Начать" }).click();
  await expect(reader.page.getByRole("article")).toContainText("Текст.");
  await expect(pageLink(reader.page, classroom.pages[0])).toContainText("Пройдено");
  await contents(reader.page).getByRole("button", { name: /Типы/ }).click();
  await expect(contents(reader.page).getByText("Числа")).toBeVisible();
  await expect(pageLink(reader.page, later.pageId)).toHaveCount(0);
  await pageLink(reader.page, classroom.pages[2]).click();
  await expect(reader.page.getByRole("article")).toContainText("Ещё.");
  await expect(pageLink(reader.page, classroom.pages[2])).toContainText("Пройдено");
  await pageLink(reader.page, classroom.quizId).click();
  await reader.page.getByRole("radio", { name: "Да", exact: true }).check();
  await reader.page.getByRole("button", { name: "Отправить ответы" }).click();
  await pageLink(reader.page, later.pageId).click();
  await expect(reader.page.getByRole("heading", { level: 1, name: "Числа" })).toBeVisible();
  await expect(reader.page.getByText("Сначала пройдите")).toHaveCount(0);

  dialog = await open("Типы");
  await dialog.getByRole("checkbox", { name: "Первые шаги" }).press("Space");
  await expect.poll(stored).toEqual([[], []]);
});

test("an author lets the lessons open in order, and undoes it", async ({ server, tabFor }) => {
  const classroom = await createClassroom(server, oneQuestion);
  const { courseId, owner, learner } = classroom;
  const { pageId } = await addLesson(classroom);
  const sequential = async () => {
    const query = "query ($id: ID!) { course(id: $id) { sequential } }";
    return (await graphql(server.url, owner.token, query, { id: courseId })).course.sequential;
  };
  const { page } = await tabFor(owner);
  const reader = await tabFor(learner);
  await page.goto(`/edit-course/${courseId}?tab=settings`);
  const dates = page.getByRole("region", { name: "Даты" });
  await dates.getByRole("checkbox", { name: "Открывать уроки по порядку" }).check();
  await expect(field(page, "Начало")).toHaveValue("");
  await dates.getByRole("button", { name: "Сохранить даты" }).press("Enter");
  await expect.poll(sequential).toBe(true);
  // The toast stays under the pointer.
  const undo = page.getByRole("button", { name: "Отменить" }).last();
  await undo.hover();
  await reader.page.goto(`/view-page/${pageId}`);
  await expect(reader.page.getByRole("main")).toContainText("Первые шаги");
  await undo.click();
  await expect.poll(sequential).toBe(false);
});

test("a long list of modules and lessons is searched by title, and what is found is chosen", async ({
  server,
  tabFor,
}) => {
  const owner = await signUp(server);
  const lessons = (module: string) =>
    Object.fromEntries([1, 2, 3, 4, 5].map((number) => [`${module} ${number}`, []]));
  const plan = { Основы: lessons("Тема"), Практика: lessons("Задача"), Итоги: lessons("Экзамен") };
  const courseId = await createCourse(server, owner, "Rust", plan);
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}`);
  await page.getByRole("button", { name: "Действия: Задача 3" }).press("Enter");
  await page.getByRole("menuitem", { name: "Сначала пройти…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Сначала пройти: Задача 3" });
  const choices = dialog.getByRole("checkbox");
  // All but the lesson and its module.
  await expect(choices).toHaveCount(16);
  const search = dialog.getByRole("searchbox");
  await search.fill("нет такого");
  await expect(choices).toHaveCount(0);
  await search.fill("ЗАДАЧА");
  await expect(choices).toHaveCount(4);
  await dialog.getByRole("checkbox", { name: "Задача 1" }).press("Space");
  await search.fill("");
  await expect(choices).toHaveCount(16);
  await expect(dialog.getByRole("checkbox", { name: "Задача 1" })).toBeChecked();
  await expectAccessibleEverywhere(page, "a long list of prerequisites");
  const query = "query ($id: ID!) { course(id: $id) { modules { lessons { title prerequisites } } } }";
  const stored = async () => {
    const { course } = await graphql(server.url, owner.token, query, { id: courseId });
    const all: { prerequisites: string[] }[] = course.modules.flatMap(
      (module: { lessons: { prerequisites: string[] }[] }) => module.lessons,
    );
    return all.map((lesson) => lesson.prerequisites.length);
  };
  await expect.poll(stored).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
});
