import { graphql, post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { expectAccessibleEverywhere } from "./accessibility.ts";
import { enroll, signUp } from "./api.ts";
import { type Classroom, changeQuiz, createClassroom, oneQuestion } from "./classroom.ts";
import { expect, test } from "./fixtures.ts";
import { field } from "./ui.ts";

/** A course whose lesson is due on 1 December 2090, with two students and the group «10-А» of the first. */
async function createClass(server: Server) {
  const classroom = await createClassroom(server);
  await changeQuiz(classroom, { ...oneQuestion, max_attempts: 2 });
  const boris = await signUp(server, "Борисов Борис Борисович");
  await enroll(server, boris, classroom.shareCode);
  const { courseId, owner, lessonId, learner } = classroom;
  const { id: groupId } = await post(
    server.url,
    `/api/v1/courses/create_group/${courseId}`,
    { title: "10-А" },
    owner.token,
  );
  const course = "mutation ($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }";
  await graphql(server.url, owner.token, course, { input: { courseId, timeZone: "Europe/Moscow" } });
  const lesson = "mutation ($input: UpdateLessonInput!) { updateLesson(input: $input) { lesson { id } } }";
  await graphql(server.url, owner.token, lesson, { input: { lessonId, dueAt: "2090-12-01" } });
  const list = "query ($id: ID!) { course(id: $id) { students { nodes { id user { email } } } } }";
  const { course: found } = await graphql(server.url, owner.token, list, { id: courseId });
  const enrollmentId = found.students.nodes.find(
    ({ user }: { user: { email: string } }) => user.email === learner.email,
  ).id as string;
  const move = "mutation ($input: MoveStudentsInput!) { moveStudents(input: $input) { moved } }";
  await graphql(server.url, owner.token, move, {
    input: { courseId, groupId, enrollmentIds: [enrollmentId] },
  });
  return { ...classroom, boris, groupId, enrollmentId };
}

async function setOverride({ server, owner, courseId }: Classroom, input: object) {
  const query =
    "mutation ($input: SetOverrideInput!) { setOverride(input: $input) { scheduleOverride { id } } }";
  await graphql(server.url, owner.token, query, { input: { courseId, ...input } });
}

test("a teacher extends the due date of a student by keyboard, sees what comes of it, and undoes it", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClass(server);
  const { courseId, enrollmentId, groupId, lessonId, learner, quizId } = classroom;
  await setOverride(classroom, { groupId, lessonId, dueAt: "2090-12-05" });
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${courseId}?tab=students&student=${enrollmentId}`);
  const lesson = page.getByRole("button", { name: /пройден Первые шаги/i });
  if ((await lesson.getAttribute("aria-expanded")) === "false") await lesson.press("Enter");
  await page.getByRole("button", { name: "Продлить срок: Проверьте себя" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: `Продлить срок: ${learner.fullName}` });
  await expect(field(page, "Часть курса")).toHaveValue(quizId);
  await expect(dialog).toContainText("У всех: 01.12.2090 23:59");
  await expect(dialog).toContainText("У группы «10-А»: 05.12.2090 23:59");
  const due = field(page, "Новый срок сдачи");
  await expect(due).toHaveValue("05.12.2090 23:59");
  await expect(dialog.getByRole("button", { name: "Сохранить" })).toBeDisabled();
  await dialog.getByRole("button", { name: "+7 дней" }).press("Enter");
  await expect(due).toHaveValue("12.12.2090 23:59");
  await expect(dialog).toContainText("Получится: 12.12.2090 23:59");
  await expectAccessibleEverywhere(page, "the dialog of an extension");
  await due.press("Enter");
  await expect(dialog).toHaveCount(0);
  const list = page.getByRole("region", { name: "Продления" });
  await expect(list.getByRole("listitem").filter({ hasText: "Проверьте себя" })).toContainText(
    "Сдать до 12 декабря 2090",
  );
  await page.keyboard.press("Control+z");
  await expect(list.getByRole("listitem").filter({ hasText: "Проверьте себя" })).toHaveCount(0);
  await expect(list.getByRole("listitem").filter({ hasText: "Группа «10-А»" })).toContainText("Первые шаги");
  await expectAccessibleEverywhere(page, "a student with extensions");
});

test("an extension moves earlier ends in the same save, and one undo restores all of them", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClass(server);
  const { courseId, enrollmentId, lessonId, learner, owner, quizId } = classroom;
  const course = "mutation ($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }";
  await graphql(server.url, owner.token, course, { input: { courseId, endsAt: "2090-12-06" } });
  const lesson = "mutation ($input: UpdateLessonInput!) { updateLesson(input: $input) { lesson { id } } }";
  await graphql(server.url, owner.token, lesson, { input: { lessonId, availableUntil: "2090-12-03" } });
  const times = "query ($id: ID!) { page(id: $id) { timeline { dueAt closesAt } } }";
  const ofLearner = async () => {
    const { page } = await graphql(server.url, learner.token, times, { id: quizId });
    return page.timeline;
  };
  const before = await ofLearner();
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}?tab=students&student=${enrollmentId}`);
  const row = page.getByRole("button", { name: /пройден Первые шаги/i });
  if ((await row.getAttribute("aria-expanded")) === "false") await row.press("Enter");
  const open = page.getByRole("button", { name: "Продлить срок: Проверьте себя" });
  await open.press("Enter");
  const dialog = page.getByRole("dialog", { name: `Продлить срок: ${learner.fullName}` });
  const choice = dialog.getByRole("checkbox", { name: /Продлить и это/ });
  await dialog.getByRole("button", { name: "+1 день" }).press("Enter");
  await expect(dialog).toContainText("Получится: 02.12.2090 23:59");
  await expect(choice).toHaveCount(0);
  await dialog.getByRole("button", { name: "+7 дней" }).press("Enter");
  await expect(dialog.getByRole("listitem")).toHaveText([
    "Основы Rust — 06.12.2090 23:59",
    "Первые шаги — 03.12.2090 23:59",
  ]);
  await expect(choice).toBeChecked();
  await expect(dialog.getByText("Продлить и это — до 09.12.2090 23:59")).toBeVisible();
  await choice.press("Space");
  await expect(dialog).toContainText("Сдавать можно будет только до закрытия.");
  await expectAccessibleEverywhere(page, "the dialog with ends before the due date");
  await choice.press("Space");
  await field(page, "Новый срок сдачи").press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Вместе со сроком продлено: Основы Rust и Первые шаги.")).toBeVisible();
  expect(await ofLearner()).toEqual({ dueAt: "2090-12-09T20:59:00Z", closesAt: "2090-12-09T20:59:00Z" });
  const list = page.getByRole("region", { name: "Продления" }).getByRole("listitem");
  await expect(list).toHaveCount(3);
  await page.keyboard.press("Control+z");
  await expect(list).toHaveCount(0);
  expect(await ofLearner()).toEqual(before);
});

test("the extension of a group names the students and the parts whose own dates still come earlier", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClass(server);
  const { courseId, enrollmentId, lessonId, learner, owner, quizId } = classroom;
  const quiz = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  await graphql(server.url, owner.token, quiz, { input: { pageId: quizId, dueAt: "2090-11-30" } });
  await setOverride(classroom, { enrollmentId, lessonId, dueAt: "2090-12-02" });
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}?tab=students&view=groups`);
  await page.getByRole("button", { name: "Действия с группой «10-А»" }).press("Enter");
  await page.getByRole("menuitem", { name: "Продлить срок…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Продлить срок: Группа «10-А»" });
  await field(page, "Часть курса").selectOption(lessonId);
  await field(page, "Новый срок сдачи").fill("9.12.2090");
  await expect(dialog).toContainText("У этих учеников свои сроки, и они раньше:");
  await expect(dialog.getByRole("listitem")).toHaveText([
    "Проверьте себя — 30.11.2090 23:59",
    `${learner.fullName} — 02.12.2090 23:59`,
  ]);
  await expectAccessibleEverywhere(page, "the dialog with what an extension does not reach");
  await dialog.getByRole("button", { name: "Сохранить" }).press("Enter");
  await expect(dialog).toHaveCount(0);
});

test("a group gets another attempt from its menu, and the limit of its students rises", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClass(server);
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${classroom.courseId}?tab=students&view=groups`);
  await page.getByRole("button", { name: "Действия с группой «10-А»" }).press("Enter");
  await page.getByRole("menuitem", { name: "Дать ещё попытку…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Дать ещё попытку: Группа «10-А»" });
  await expect(field(page, "Часть курса").getByRole("option")).toHaveText(["Проверьте себя"]);
  await expect(dialog).toContainText("У всех: 2");
  await expect(dialog).toContainText("Получится: 3");
  await dialog.getByRole("button", { name: "Дать попытку" }).press("Enter");
  await expect(dialog).toHaveCount(0);
  const limit = "query ($id: ID!) { page(id: $id) { attemptsLeft } }";
  const left = await graphql(server.url, classroom.learner.token, limit, { id: classroom.quizId });
  expect(left.page.attemptsLeft).toBe(3);
  const others = await graphql(server.url, classroom.boris.token, limit, { id: classroom.quizId });
  expect(others.page.attemptsLeft).toBe(2);
});

test("the class list and the results of a quiz open the dialog for the student and the quiz in view", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClass(server);
  const { courseId, boris, quizId } = classroom;
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${courseId}?tab=students`);
  await page.getByRole("button", { name: `Действия: ${boris.fullName}` }).press("Enter");
  await page.getByRole("menuitem", { name: "Продлить срок…" }).press("Enter");
  await expect(page.getByRole("dialog", { name: `Продлить срок: ${boris.fullName}` })).toBeVisible();
  await expectAccessibleEverywhere(page, "the dialog above the class list");
  await page.keyboard.press("Escape");

  await page.goto(`/edit-course/${courseId}?tab=students&view=map`);
  await page.getByRole("button", { name: "Действия со страницей «Проверьте себя»" }).press("Enter");
  await page.getByRole("menuitem", { name: "Продлить срок…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Продлить срок" });
  await expect(field(page, "Часть курса")).toHaveValue(quizId);
  await expect(dialog.getByRole("radio", { name: "Группа «10-А»" })).toBeVisible();
  await field(page, "Имя, email или группа").fill("борис");
  await expect(dialog.getByRole("radio")).toHaveCount(1);
  await dialog.getByRole("radio", { name: `${boris.fullName} · ${boris.email}` }).check();
  await field(page, "Срок сдачи").selectOption({ label: "Без срока" });
  await expect(dialog).toContainText("Получится: без срока");
  await expectAccessibleEverywhere(page, "the choice of a student");
  await dialog.getByRole("button", { name: "Сохранить" }).press("Enter");
  await expect(dialog).toHaveCount(0);
  await page.getByRole("link", { name: "Продления", exact: true }).click();
  await expect(page.getByRole("listitem").filter({ hasText: boris.fullName })).toContainText(
    "Без срока сдачи",
  );
});

test("the list of extensions says what to do at first, filters, edits, deletes with undo, and the dates table leads to it", async ({
  server,
  tabFor,
}) => {
  const classroom = await createClass(server);
  const { courseId, groupId, enrollmentId, lessonId, quizId, learner } = classroom;
  const { page } = await tabFor(classroom.owner);
  await page.goto(`/edit-course/${courseId}?tab=students&view=overrides`);
  await expect(page.getByRole("heading", { name: "Продлений пока нет" })).toBeVisible();
  await expectAccessibleEverywhere(page, "no extensions");
  // Another teacher sets them: the open list follows.
  await setOverride(classroom, { groupId, lessonId, dueAt: "2090-12-05" });
  await setOverride(classroom, { enrollmentId, pageId: quizId, extraAttempts: 2, availableUntil: null });
  const rows = page.getByRole("list", { name: "Продления" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("+2 попытки");
  await expect(rows.nth(1)).toContainText("Не закрывается");
  await expectAccessibleEverywhere(page, "extensions");
  await field(page, "Кому").selectOption({ label: "Группа «10-А»" });
  await expect(rows).toHaveCount(1);
  await field(page, "Кому").selectOption({ label: "Все" });

  await page.goto(`/edit-course/${courseId}?tab=dates`);
  await page.getByRole("link", { name: /^1.продление: Проверьте себя$/ }).press("Enter");
  await expect(rows).toHaveCount(1);
  await expect(field(page, "Часть курса")).toHaveValue(quizId);
  await rows.getByRole("button", { name: `Изменить: ${learner.fullName}, Проверьте себя` }).press("Enter");
  await field(page, "Сколько добавить").fill("101");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Напишите число от 0 до 100.")).toBeVisible();
  await field(page, "Сколько добавить").fill("1");
  await field(page, "Когда откроется").selectOption({ label: "Другой день" });
  await field(page, "Новое открытие").fill("1.1.2091");
  await field(page, "Когда закроется").selectOption({ label: "Другой день" });
  await field(page, "Новое закрытие").fill("1.1.2090");
  await page.keyboard.press("Enter");
  // The server refuses the order of the dates.
  await expect(field(page, "Новое закрытие")).toHaveAttribute("aria-invalid", "true");
  await field(page, "Когда откроется").selectOption({ label: "Как у группы" });
  await page.getByRole("dialog").getByRole("button", { name: "Сохранить" }).press("Enter");
  await expect(rows).toContainText("+1 попытка");
  await expect(rows).toContainText("Закроется 1 января 2090");

  await rows.getByRole("button", { name: `Удалить: ${learner.fullName}, Проверьте себя` }).press("Enter");
  await expect(page.getByText("Таких продлений нет.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Продления" })).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(rows).toHaveCount(1);
});
