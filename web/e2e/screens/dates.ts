import { graphql, post } from "../../../scripts/client.mjs";
import { type Account, enroll, visit } from "../api.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { field } from "../ui.ts";
import { getClass, openAs } from "./class.ts";

const DAY = 86_400_000;

/** The day so many days from now, as the server takes it. */
const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

interface Dated {
  teacher: Account;
  courseId: string;
  /** A learner who has read two pages and is late with the rest of the first lesson. */
  learner: Account;
  enrollmentId: string;
  /** A quiz that still takes late answers, and a page that opens later. */
  quizId: string;
  lockedId: string;
}

const created = new WeakMap<SampleData, Promise<Dated>>();

/** A copy of the class's course with dates around the present; created once per server. */
function getDated(sample: SampleData): Promise<Dated> {
  const data = created.get(sample) ?? createDated(sample);
  created.set(sample, data);
  return data;
}

async function createDated(sample: SampleData): Promise<Dated> {
  const { server } = sample;
  const { teacher, courseId: original, students } = await getClass(sample);
  const rest = (path: string, body: object = {}) =>
    post(server.url, `/api/v1/courses/${path}`, body, teacher.token);
  const change = (what: "Course" | "Module" | "Lesson" | "Page", id: string, dates: object) => {
    const part = what.toLowerCase();
    const query = `mutation ($input: Update${what}Input!) { update${what}(input: $input) { ${part} { id } } }`;
    return graphql(server.url, teacher.token, query, { input: { [`${part}Id`]: id, ...dates } });
  };
  const { id: courseId } = await rest(`duplicate_course/${original}`);
  await change("Course", courseId, {
    title: "Основы Rust, зимний поток",
    timeZone: "Asia/Yekaterinburg",
    startsAt: day(-14),
    endsAt: day(45),
  });
  const query = `query ($id: ID!) { course(id: $id) {
    modules { id lessons { id pages { id } } } students { nodes { id user { email } } } } }`;
  const tree = () => graphql(server.url, teacher.token, query, { id: courseId });
  const [basics, ownership] = (await tree()).course.modules;
  const [first, second] = basics.lessons;
  const [, summary] = ownership.lessons;
  const quizId = second.pages[2].id;
  const examId = summary.pages[1].id;
  await change("Module", basics.id, { dueAt: day(6) });
  await change("Lesson", first.id, { dueAt: day(-3) });
  await change("Page", quizId, {
    dueAt: day(-2),
    lateUntil: day(5),
    latePenaltyPerDay: 10,
    latePenaltyMax: 50,
  });
  await change("Module", ownership.id, { availableFrom: `${day(7)}T09:00`, dueAt: day(28) });
  await change("Lesson", summary.id, { availableFrom: day(21) });
  await change("Page", examId, {
    availableFrom: `${day(26)}T10:00`,
    dueAt: `${day(26)}T13:00`,
    availableUntil: `${day(26)}T13:00`,
  });
  const { share_code } = await rest(`generate_share_code/${courseId}`);
  for (const student of students) await enroll(server, student, share_code);
  const { nodes } = (await tree()).course.students;
  const idOf = (at: number): string =>
    nodes.find(({ user }: { user: { email: string } }) => user.email === students[at]?.email).id;
  const { id: groupId } = await rest(`create_group/${courseId}`, { title: "Вечерняя группа" });
  const emails = students.slice(4, 8).map(({ email }) => email);
  await rest(`move_students_by_email/${courseId}`, { emails: emails.join("\n"), group_id: groupId });
  const extend = (input: object) =>
    graphql(
      server.url,
      teacher.token,
      "mutation ($input: SetOverrideInput!) { setOverride(input: $input) { scheduleOverride { id } } }",
      { input: { courseId, ...input } },
    );
  await extend({ groupId, moduleId: basics.id, dueAt: day(13) });
  await extend({
    enrollmentId: idOf(5),
    pageId: quizId,
    dueAt: day(9),
    lateUntil: day(16),
    extraAttempts: 1,
  });
  await extend({ enrollmentId: idOf(3), lessonId: first.id, dueAt: null });
  const learner = students[2] ?? teacher;
  for (const { id } of first.pages.slice(0, 2)) await visit(server, learner, id);
  return {
    teacher,
    courseId,
    learner,
    enrollmentId: idOf(5),
    quizId,
    lockedId: ownership.lessons[0].pages[0].id,
  };
}

/** A screen of the course's teacher. */
const teachers = (
  name: string,
  search: string | ((data: Dated) => string),
  open: (page: Parameters<Screen["open"]>[0], data: Dated, sample: SampleData) => Promise<unknown>,
): Screen => ({
  name,
  open: async (page, sample) => {
    const data = await getDated(sample);
    const rest = typeof search === "string" ? search : search(data);
    await openAs(page, data.teacher, `/edit-course/${data.courseId}?${rest}`);
    await open(page, data, sample);
  },
});

/** A screen of a learner of the course. */
const learners = (
  name: string,
  path: (data: Dated) => string,
  open: (page: Parameters<Screen["open"]>[0]) => Promise<unknown>,
): Screen => ({
  name,
  open: async (page, sample) => {
    const data = await getDated(sample);
    await openAs(page, data.learner, path(data));
    await open(page);
  },
});

/** Dates: their table, extensions, the copy with other dates, and what learners see of them. */
export const dates: Screen[] = [
  teachers("dates-table", "tab=dates", (page) => page.getByRole("grid", { name: "Даты курса" }).waitFor()),
  teachers("dates-selected", "tab=dates", async (page) => {
    await page.getByRole("checkbox", { name: "Выбрать: Первые шаги" }).check();
    await page.getByRole("region", { name: "Выбранные части" }).waitFor();
  }),
  teachers("dates-dialog", "", async (page) => {
    await page.getByRole("button", { name: "Действия: Проверьте себя" }).first().click();
    await page.getByRole("menuitem", { name: "Даты…" }).click();
    await page.getByLabel("Наибольшее снижение, %").waitFor();
  }),
  teachers("dates-drawing", "tab=dates", (page) => page.locator("figure").scrollIntoViewIfNeeded()),
  teachers("overrides", "tab=students&view=overrides", (page) =>
    page.getByRole("list", { name: "Продления" }).getByRole("listitem").nth(2).waitFor(),
  ),
  teachers(
    "override-dialog",
    (data) => `tab=students&student=${data.enrollmentId}`,
    async (page) => {
      await page.getByRole("button", { name: "Продлить срок…" }).first().click();
      await field(page, "Часть курса").waitFor();
    },
  ),
  teachers(
    "student-extended",
    (data) => `tab=students&student=${data.enrollmentId}`,
    (page) => page.getByRole("region", { name: "Продления" }).scrollIntoViewIfNeeded(),
  ),
  {
    name: "course-copy",
    open: async (page, sample) => {
      const { teacher } = await getDated(sample);
      await openAs(page, teacher, "/");
      await page
        .getByRole("button", { name: "Действия с курсом «Основы Rust, зимний поток»" })
        .first()
        .click();
      await page.getByRole("menuitem", { name: "Копия с новым началом" }).click();
      await field(page, "Новое начало").fill("01.09.2027");
      await page.getByText(/^Всё сдвинется/).waitFor();
    },
  },
  learners(
    "calendar-agenda",
    () => "/calendar",
    (page) => page.getByRole("region", { name: "Просрочено" }).waitFor(),
  ),
  learners(
    "calendar-month",
    () => `/calendar?month=${day(0).slice(0, 7)}`,
    (page) => page.getByRole("table").waitFor(),
  ),
  learners(
    "home-due",
    () => "/",
    (page) => page.getByRole("region", { name: "Ближайшие сроки" }).waitFor(),
  ),
  learners(
    "view-course-dates",
    (data) => `/view-course/${data.courseId}`,
    (page) =>
      page
        .getByText(/^Откроется/)
        .first()
        .waitFor(),
  ),
  learners(
    "view-page-locked",
    (data) => `/view-page/${data.lockedId}`,
    (page) => page.getByText(/^Эта страница откроется/).waitFor(),
  ),
  learners(
    "quiz-late",
    (data) => `/view-page/${data.quizId}`,
    (page) => page.getByText(/Сейчас результат снизится/).waitFor(),
  ),
];

/** A date that somebody else has changed; dates.e2e.ts checks it with axe. */
export const datesStates: Screen[] = [
  teachers("dates-conflict", "tab=dates", async (page, { teacher, quizId }, { server }) => {
    const due = page
      .getByRole("grid", { name: "Даты курса" })
      .getByRole("row")
      .filter({ hasText: "Переменные и типы" })
      .locator("[data-cell]")
      .nth(1);
    await due.waitFor();
    const query = "query ($id: ID!) { page(id: $id) { lesson { id } } }";
    const { lesson } = (await graphql(server.url, teacher.token, query, { id: quizId })).page;
    const change = "mutation ($input: UpdateLessonInput!) { updateLesson(input: $input) { lesson { id } } }";
    const setDue = (dueAt: string | null) =>
      graphql(server.url, teacher.token, change, { input: { lessonId: lesson.id, dueAt } });
    await setDue(day(4));
    await due.press("Enter");
    await page.keyboard.type("1.12.2027");
    await page.keyboard.press("Enter");
    await due.getByRole("alert").waitFor();
    await setDue(null);
  }),
];
