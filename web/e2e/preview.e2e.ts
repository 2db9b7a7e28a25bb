import type { Page } from "@playwright/test";
import { graphql, post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { expectAccessibleEverywhere } from "./accessibility.ts";
import { enroll, signUp } from "./api.ts";
import { type Classroom, changeQuiz, createClassroom } from "./classroom.ts";
import { expect, test } from "./fixtures.ts";
import { contents, field } from "./ui.ts";

const oneQuestion = {
  pass_percent: 50,
  max_attempts: 2,
  questions: [
    {
      type: "single_choice",
      prompt: "Какое слово делает переменную изменяемой?",
      options: [{ content: "mut", correct: true }, { content: "var" }],
    },
  ],
};

/**
 * A course in Moscow time whose quiz opens on 1 December 2090 at 12:00 and whose first page is due on 5 December. The group «10-А» may open it on 3 December;
 * the first learner is in the group and may do so on 29 November. The second learner is in no group.
 */
async function createClass(server: Server) {
  const classroom = await createClassroom(server);
  await changeQuiz(classroom, oneQuestion);
  const { courseId, owner, quizId, learner } = classroom;
  const boris = await signUp(server, "Борисов Борис Борисович");
  await enroll(server, boris, classroom.shareCode);
  const call = (query: string, input: object) => graphql(server.url, owner.token, query, { input });
  await call("mutation ($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }", {
    courseId,
    timeZone: "Europe/Moscow",
  });
  await call("mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }", {
    pageId: quizId,
    availableFrom: "2090-12-01T12:00",
  });
  await call("mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }", {
    pageId: classroom.pages[0],
    dueAt: "2090-12-05",
  });
  const { id: groupId } = await post(
    server.url,
    `/api/v1/courses/create_group/${courseId}`,
    { title: "10-А" },
    owner.token,
  );
  const list = "query ($id: ID!) { course(id: $id) { students { nodes { id user { email } } } } }";
  const { course } = await graphql(server.url, owner.token, list, { id: courseId });
  const idOf = (email: string) =>
    course.students.nodes.find(({ user }: { user: { email: string } }) => user.email === email).id as string;
  const enrollmentId = idOf(learner.email);
  await call("mutation ($input: MoveStudentsInput!) { moveStudents(input: $input) { moved } }", {
    courseId,
    groupId,
    enrollmentIds: [enrollmentId],
  });
  const set =
    "mutation ($input: SetOverrideInput!) { setOverride(input: $input) { scheduleOverride { id } } }";
  await call(set, { courseId, groupId, pageId: quizId, availableFrom: "2090-12-03T12:00" });
  await call(set, { courseId, enrollmentId, pageId: quizId, availableFrom: "2090-11-29T12:00" });
  return { ...classroom, boris, groupId, enrollmentId };
}

const preview = (courseId: string, who: string, at: string) => `/preview/${courseId}/${who}/${at}`;
const bar = (page: Page) => page.getByRole("region", { name: "Просмотр от лица ученика" });
const quizLink = (page: Page) => page.getByRole("main").getByRole("link", { name: /Проверьте себя/ });

/** What the server knows of a learner's work. */
async function recordOf({ server, courseId }: Classroom, token: string) {
  const query = `query ($id: ID!) { course(id: $id) { enrollment { lastActivityAt } progress { percent pagesDone } }
    debugProgress(courseId: $id) { pages { visitedAt page { id attempts { id } } } } }`;
  return graphql(server.url, token, query, { id: courseId });
}

test("staff see a course as a new student, a group and a student with an extension, before and after a boundary", async ({
  server,
  tabFor,
}) => {
  const { courseId, owner, groupId, enrollmentId, quizId, learner } = await createClass(server);
  const { page } = await tabFor(owner);
  for (const [who, locked, open] of [
    ["new", "2090-12-01T08:59Z", "2090-12-01T09:00Z"],
    [`group-${groupId}`, "2090-12-03T08:59Z", "2090-12-03T09:00Z"],
    [`student-${enrollmentId}`, "2090-11-29T08:59Z", "2090-11-29T09:00Z"],
  ] as const) {
    await page.goto(preview(courseId, who, locked));
    await expect(page.getByRole("main").getByText("Проверьте себя")).toBeVisible();
    await expect(quizLink(page)).toHaveCount(0);
    await page.goto(preview(courseId, who, open));
    await expect(quizLink(page)).toHaveAttribute("href", `${preview(courseId, who, open)}/${quizId}`);
  }
  await expect(bar(page)).toContainText(learner.fullName);
  await expect(bar(page)).toContainText("29 ноября 2090");

  await page.goto(`${preview(courseId, "new", "2090-12-01T08:59Z")}/${quizId}`);
  await expect(page.getByText(/^Эта страница откроется 1.декабря/)).toBeVisible();
  await expectAccessibleEverywhere(page, "a locked page in a preview");

  // The clock of the preview, not that of the browser, says what is overdue.
  await page.goto(preview(courseId, "new", "2090-12-05T20:00Z"));
  await expect(page.getByRole("main").getByText(/^(Сегодня до|Завтра до|До 5 декабря)/)).toBeVisible();
  await page.goto(preview(courseId, "new", "2090-12-06T20:00Z"));
  await expect(
    page
      .getByRole("main")
      .getByText(/^Просрочено/)
      .first(),
  ).toBeVisible();
  await expectAccessibleEverywhere(page, "the contents in a preview");
});

test("a preview records nothing, takes no answers, and its links stay in it", async ({ server, tabFor }) => {
  const classroom = await createClass(server);
  const { courseId, owner, enrollmentId, quizId, pages, learner } = classroom;
  const before = await recordOf(classroom, learner.token);
  const { page } = await tabFor(owner);
  const sent: string[] = [];
  page.on("request", (request) => {
    const query = request.url().endsWith("/graphql") && request.postDataJSON()?.query;
    if (typeof query === "string" && query.startsWith("mutation")) sent.push(query);
  });
  const base = preview(courseId, `student-${enrollmentId}`, "2090-12-02T09:00Z");
  await page.goto(base);
  await page.getByRole("main").getByRole("link", { name: "Переменные" }).click();
  await expect(page).toHaveURL(`${base}/${pages[0]}`);
  await expect(page.getByText("Текст.")).toBeVisible();
  await expectAccessibleEverywhere(page, "a page in a preview");
  await expect(contents(page).getByRole("link", { name: "Переменные", exact: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
  // A page that fits on the screen counts as read after a moment.
  await page.waitForTimeout(2000);
  await page.getByRole("link", { name: /^Дальше/ }).click();
  await expect(page).toHaveURL(`${base}/${quizId}`);
  await expect(page.getByText("В просмотре отвечать нельзя")).toBeVisible();
  await expect(page.getByRole("radio", { name: "mut" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Отправить ответы" })).toHaveCount(0);
  await expectAccessibleEverywhere(page, "a quiz in a preview");
  await contents(page).getByRole("link", { name: "Что дальше" }).click();
  await expect(page).toHaveURL(`${base}/${pages[2]}`);
  await page.keyboard.press("ArrowLeft");
  await expect(page).toHaveURL(`${base}/${quizId}`);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Что дальше" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Что дальше" })).toBeVisible();
  await page.getByRole("navigation", { name: "Вы находитесь здесь" }).getByRole("link").click();
  await expect(page).toHaveURL(base);
  await expect(page.getByRole("button", { name: "Покинуть курс…" })).toHaveCount(0);
  await page.getByRole("link", { name: "Мой прогресс" }).click();
  await expect(page.getByText("Пока ничего не прочитано")).toBeVisible();
  // Progress has no history: a moment of the past says so.
  const past = bar(page).getByText("Прогресс показан на сегодня.");
  await expect(past).toHaveCount(0);
  await page.goto(preview(courseId, `student-${enrollmentId}`, "2020-01-01T09:00Z"));
  await expect(past).toBeVisible();
  await expectAccessibleEverywhere(page, "a preview of the past");
  await page.goto(base);
  expect(sent).toEqual([]);
  expect(await recordOf(classroom, learner.token)).toEqual(before);

  await bar(page).getByRole("link", { name: "Выйти из просмотра" }).click();
  await expect(page).toHaveURL(new RegExp(`/edit-course/${courseId}\\?tab=students&student=${enrollmentId}`));
  await expect(page.getByRole("heading", { level: 2, name: learner.fullName })).toBeVisible();
});

test("the title of the tab says that this is a preview, on each of its screens", async ({
  server,
  tabFor,
}) => {
  const { courseId, owner, pages, quizId } = await createClass(server);
  const { page } = await tabFor(owner);
  const base = preview(courseId, "new", "2090-11-01T09:00Z");
  await page.goto(base);
  await expect(page).toHaveTitle("Просмотр: Основы Rust — Kurso");
  await page.getByRole("main").getByRole("link", { name: "Переменные" }).click();
  await expect(page).toHaveTitle("Просмотр: Переменные — Основы Rust");
  await page.goto(`${base}/${quizId}`);
  await expect(page.getByText(/^Эта страница откроется/)).toBeVisible();
  await expect(page).toHaveTitle("Просмотр: Проверьте себя — Основы Rust");
  await bar(page).getByRole("link", { name: "Выйти из просмотра" }).click();
  await expect(page).toHaveTitle("Основы Rust — Kurso");
  await page.goto(`${base.replace(":", "%3A")}/${pages[0]}`);
  await expect(page.getByRole("heading", { level: 1, name: "Переменные" })).toBeVisible();
});

test("a preview neither uses nor changes the reading positions of the teacher", async ({
  server,
  tabFor,
}) => {
  const { courseId, owner, pages } = await createClass(server);
  const content = {
    type: "doc",
    content: Array.from({ length: 80 }, (_, at) => ({
      type: "paragraph",
      content: [{ type: "text", text: `Абзац ${at + 1}.` }],
    })),
  };
  const change = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  await graphql(server.url, owner.token, change, { input: { pageId: pages[0], content } });
  const { page } = await tabFor(owner);
  const stored = () => page.evaluate(() => localStorage.getItem("reading-positions"));
  const scrolled = () => page.evaluate(() => window.scrollY);
  await page.goto(`/view-page/${pages[0]}`);
  await page.getByText("Абзац 40.", { exact: true }).evaluate((block) => block.scrollIntoView());
  await expect.poll(stored).toContain(pages[0]);
  const own = await stored();
  const place = await scrolled();

  await page.goto(`${preview(courseId, "new", "2090-12-02T09:00Z")}/${pages[0]}`);
  await expect(page.getByText("Абзац 1.", { exact: true })).toBeInViewport();
  expect(await scrolled()).toBe(0);
  await page.getByText("Абзац 70.", { exact: true }).evaluate((block) => block.scrollIntoView());
  await expect.poll(scrolled).toBeGreaterThan(0);
  await page.waitForTimeout(600);
  expect(await stored()).toBe(own);
  // Following the link to the next page deletes the position of a finished page.
  await page.getByRole("link", { name: /^Дальше/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Проверьте себя" })).toBeVisible();
  expect(await stored()).toBe(own);

  await page.goto(`/view-page/${pages[0]}`);
  await expect.poll(async () => Math.abs((await scrolled()) - place)).toBeLessThan(3);
});

test("a link that leads out of a preview says so and offers the way back", async ({ server, tabFor }) => {
  const { courseId, owner } = await createClass(server);
  const { page } = await tabFor(owner);
  const base = preview(courseId, "new", "2090-11-01T09:00Z");
  await page.goto(base);
  await page.getByRole("main").getByRole("link", { name: "Мои курсы" }).click();
  await expect(page).toHaveURL("/");
  const told = page.getByText("Просмотр закончен");
  await expect(told).toBeVisible();
  await page.getByRole("button", { name: "Вернуться в просмотр" }).click();
  await expect(page).toHaveURL(base);
  await expect(told).toHaveCount(0);
  await bar(page).getByRole("link", { name: "Выйти из просмотра" }).click();
  await expect(page.getByRole("button", { name: "Посмотреть как…" })).toBeVisible();
  await expect(told).toHaveCount(0);
});

test("staff open a preview from the editor, groups, class list and student, and change it by keyboard", async ({
  server,
  tabFor,
}) => {
  const { courseId, owner, groupId, enrollmentId, boris, pages } = await createClass(server);
  const { page } = await tabFor(owner);
  await page.goto(`/edit-course/${courseId}`);
  await page.getByRole("button", { name: "Посмотреть как…" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Посмотреть курс как…" });
  await expect(dialog.getByRole("radio", { name: "Новый ученик без группы" })).toBeChecked();
  await dialog.getByRole("radio", { name: "Группа «10-А»" }).check();
  await dialog.getByRole("radio", { name: "В другой момент" }).check();
  await expect(dialog).toContainText("Время курса — Europe/Moscow, GMT+3.");
  await expectAccessibleEverywhere(page, "the choice of a preview");
  await field(page, "День и время").fill("1.1.2100");
  await page.keyboard.press("Enter");
  await expect(field(page, "День и время")).toHaveAttribute("aria-invalid", "true");
  await field(page, "День и время").fill("03.12.2090 12:00");
  await dialog.getByRole("button", { name: "Сдвинуть на −1 дн." }).press("Enter");
  await expect(field(page, "День и время")).toHaveValue("02.12.2090 12:00");
  await field(page, "Ближайшие даты курса").selectOption({
    label: "1 декабря 2090 г., 12:00 — открывается: Проверьте себя",
  });
  await expect(field(page, "День и время")).toHaveValue("01.12.2090 12:00");
  await field(page, "День и время").press("Enter");
  await expect(page).toHaveURL(preview(courseId, `group-${groupId}`, "2090-12-01T09:00Z"));
  await expect(bar(page)).toBeFocused();
  await expect(bar(page)).toContainText("Новый ученик группы «10-А»");
  await expect(page.getByText("Ваша группа — «10-А»")).toBeVisible();

  // Changing the person while a page is open keeps that page open.
  await page.getByRole("main").getByRole("link", { name: "Переменные" }).press("Enter");
  await bar(page).getByRole("button", { name: "Изменить" }).press("Enter");
  await field(page, "Имя, email или группа").fill("борис");
  await dialog.getByRole("radio", { name: new RegExp(boris.fullName) }).check();
  await dialog.getByRole("radio", { name: "Сейчас" }).check();
  await dialog.getByRole("button", { name: "Посмотреть" }).press("Enter");
  await expect(bar(page)).toContainText(boris.fullName);
  await expect(bar(page)).toContainText("Сейчас");
  await expect(page).toHaveURL(new RegExp(`/now/${pages[0]}$`));

  await page.goto(`/edit-course/${courseId}?tab=students&view=groups`);
  await page.getByRole("button", { name: "Действия с группой «10-А»" }).press("Enter");
  await page.getByRole("menuitem", { name: "Посмотреть как ученик группы" }).press("Enter");
  await expect(page).toHaveURL(preview(courseId, `group-${groupId}`, "now"));
  await bar(page).getByRole("link", { name: "Выйти из просмотра" }).press("Enter");
  await page.getByRole("link", { name: "Список", exact: true }).press("Enter");
  await page.getByRole("button", { name: `Действия: ${boris.fullName}` }).press("Enter");
  await page.getByRole("menuitem", { name: "Посмотреть как этот ученик" }).press("Enter");
  await expect(bar(page)).toContainText(boris.fullName);
  await page.goto(`/edit-course/${courseId}?tab=students&student=${enrollmentId}`);
  await page.getByRole("link", { name: "Посмотреть как этот ученик" }).press("Enter");
  await expect(page).toHaveURL(preview(courseId, `student-${enrollmentId}`, "now"));
});

test("a preview that does not exist says why, and learners and strangers get none", async ({
  server,
  tabFor,
  newTab,
}) => {
  const { courseId, owner, learner, boris } = await createClass(server);
  const nobody = "01900000-0000-7000-8000-000000000000";
  const { page } = await tabFor(owner);
  for (const [address, heading] of [
    [preview(courseId, `student-${nobody}`, "now"), "Этого ученика на курсе нет"],
    [preview(courseId, `group-${nobody}`, "now"), "Этой группы больше нет"],
    [preview(courseId, "new", "2100-01-01T00:00Z"), "Такого момента нет"],
    [preview(courseId, "new", "soon"), "Такого момента нет"],
    [preview(courseId, "somebody", "now"), "Упс!"],
    [preview(nobody, "new", "now"), "Not Found"],
    [`${preview(courseId, "new", "now")}/${nobody}`, "Упс!"],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  }
  await page.goto(preview(courseId, `student-${nobody}`, "now"));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessibleEverywhere(page, "a preview without its student");
  await bar(page).getByRole("button", { name: "Изменить" }).click();
  await page.getByRole("radio", { name: "Новый ученик без группы" }).check();
  await page.getByRole("button", { name: "Посмотреть", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Основы Rust" })).toBeVisible();

  for (const account of [learner, boris]) {
    const own = await tabFor(account);
    await own.page.goto(preview(courseId, "new", "now"));
    await expect(own.page.getByRole("heading", { name: "Этот просмотр — для преподавателей" })).toBeVisible();
    if (account === learner) await expectAccessibleEverywhere(own.page, "the refusal of a preview");
    await own.page.getByRole("link", { name: "Открыть курс" }).click();
    await expect(own.page.getByRole("heading", { level: 1, name: "Основы Rust" })).toBeVisible();
    await expect(own.page.getByRole("button", { name: "Посмотреть как…" })).toHaveCount(0);
  }
  const stranger = await tabFor(await signUp(server, "Чужой Человек"));
  await stranger.page.goto(preview(courseId, "new", "now"));
  await expect(stranger.page.getByText("Такого курса нет, или у вас нет к нему доступа.")).toBeVisible();

  const visitor = await newTab();
  await visitor.page.goto(preview(courseId, "new", "now"));
  await expect(visitor.page).toHaveURL("/login");
});

test("without a network a preview says so, and goes on when it is back", async ({ server, tabFor }) => {
  const { courseId, owner, quizId } = await createClass(server);
  const { page, context, consoleErrors } = await tabFor(owner);
  await page.goto(preview(courseId, "new", "2090-12-02T09:00Z"));
  await expect(quizLink(page)).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText("Нет соединения. Показываем то, что уже загружено.")).toBeVisible();
  await quizLink(page).press("Enter");
  await expect(page.getByRole("heading", { name: "Нет соединения" }).first()).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Проверьте себя" })).toBeVisible();
  await expect(page).toHaveURL(`${preview(courseId, "new", "2090-12-02T09:00Z")}/${quizId}`);
  // The browser reports the requests that failed.
  consoleErrors.length = 0;
});
