import { graphql, post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { type Account, createCourse, enroll, generateShareCode, signUp } from "./api.ts";

export const CLASS = ["Абрамова Ольга Ильинична", "Борисов Глеб Андреевич", "Власова Мария Олеговна"];
const QUIZZES = ["Переменные и типы", "Владение", "Срезы и строки"];
const QUESTIONS = ["0198f000-0000-7000-8000-000000000001", "0198f000-0000-7000-8000-000000000002"];

export interface Class {
  server: Server;
  owner: Account;
  courseId: string;
  categoryId: string;
  quizzes: string[];
  learners: Account[];
}

/** A course with three quizzes of 10 points in one category, whose three learners have taken the first quiz. */
export async function createClass(server: Server): Promise<Class> {
  const owner = await signUp(server, "Соколова Вера Павловна");
  const call = (query: string, input: object) => graphql(server.url, owner.token, query, { input });
  const courseId = await createCourse(server, owner, "Основы Rust", { Начало: { "Первые шаги": [] } });
  const { course } = await graphql(
    server.url,
    owner.token,
    "query ($id: ID!) { course(id: $id) { modules { lessons { id } } } }",
    { id: courseId },
  );
  const lessonId = course.modules[0].lessons[0].id;
  const quizzes: string[] = [];
  for (const title of QUIZZES) {
    const quiz = {
      pass_percent: 50,
      questions: QUESTIONS.map((id, at) => ({
        id,
        type: "short_text",
        prompt: `Верно ли утверждение ${at + 1}?`,
        points: 5,
        accepted: ["да"],
      })),
    };
    const made = await post(
      server.url,
      `/api/v1/courses/create_page/${lessonId}`,
      { title, kind: "quiz", quiz },
      owner.token,
    );
    quizzes.push(made.id);
  }
  const category =
    "mutation ($input: CreateGradeCategoryInput!) { createGradeCategory(input: $input) { category { id } } }";
  const { createGradeCategory } = await call(category, { courseId, title: "Тесты", weight: "40" });
  await call(
    "mutation ($input: SetGradeItemsInput!) { setGradeItems(input: $input) { settings { courseId } } }",
    {
      courseId,
      pageIds: quizzes,
      categoryId: createGradeCategory.category.id,
      points: "10",
    },
  );
  await call(
    "mutation ($input: UpdateGradeSettingsInput!) { updateGradeSettings(input: $input) { settings { courseId } } }",
    {
      courseId,
      scheme: "FIVE_POINT",
    },
  );
  const code = await generateShareCode(server, owner, courseId);
  const learners: Account[] = [];
  for (const [at, name] of CLASS.entries()) {
    const learner = await signUp(server, name);
    await enroll(server, learner, code);
    await takeQuiz(server, learner, quizzes[0] ?? "", at > 0);
    learners.push(learner);
  }
  return { server, owner, courseId, categoryId: createGradeCategory.category.id, quizzes, learners };
}

/** Submits one right answer, and a second one if the learner knows it. */
async function takeQuiz(server: Server, learner: Account, pageId: string, isPerfect: boolean) {
  const answers = QUESTIONS.map((question_id, at) => ({
    question_id,
    text: at === 0 || isPerfect ? "да" : "нет",
  }));
  await post(server.url, `/api/v1/courses/submit_quiz/${pageId}`, { answers }, learner.token);
}

/** The enrollment of the first row. */
export async function firstEnrollment({ server, owner, courseId }: Class): Promise<string> {
  const query = "query ($id: ID!) { gradebook(courseId: $id) { rows { nodes { enrollmentId } } } }";
  const { gradebook } = await graphql(server.url, owner.token, query, { id: courseId });
  return gradebook.rows.nodes[0].enrollmentId;
}

/** Decides on the grade of a learner; by default on the first decision of the cell. */
export async function decide({ server, owner }: Class, input: object): Promise<void> {
  const query = `mutation ($input: DecideGradeInput!) { decideGrade(input: $input) { grade { pageId } } }`;
  await graphql(server.url, owner.token, query, { input: { version: 0, ...input } });
}

/** The enrollments by the name of the learner. */
async function enrollmentsOf({ server, owner, courseId }: Class): Promise<Record<string, string>> {
  const query =
    "query ($id: ID!) { gradebook(courseId: $id) { rows { nodes { enrollmentId user { fullName } } } } }";
  const { gradebook } = await graphql(server.url, owner.token, query, { id: courseId });
  return Object.fromEntries(
    gradebook.rows.nodes.map((row: { enrollmentId: string; user: { fullName: string } }) => [
      row.user.fullName,
      row.enrollmentId,
    ]),
  );
}

const DAY = 86_400_000;
const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

/** The class, in which the first learner has an attempt, an override and a quiz that was due. */
export async function createGraded(
  server: Server,
): Promise<Class & { learner: Account; enrollmentId: string }> {
  const world = await createClass(server);
  const enrollmentId = (await enrollmentsOf(world))[CLASS[0] ?? ""] ?? "";
  const [, second = "", third = ""] = world.quizzes;
  await decide(world, {
    enrollmentId,
    pageId: second,
    kind: "OVERRIDE",
    points: "8.5",
    reason: "Устный ответ на занятии",
  });
  const due = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  await graphql(server.url, world.owner.token, due, { input: { pageId: third, dueAt: day(-2) } });
  return { ...world, enrollmentId, learner: world.learners[0] as Account };
}

/** The same with a category of two more quizzes, of which one counts extra, and with what else a learner can be told of a grade. */
export async function createRich(server: Server): ReturnType<typeof createGraded> {
  const world = await createGraded(server);
  const { owner, courseId, learner, quizzes } = world;
  const call = (query: string, input: object) => graphql(server.url, owner.token, query, { input });
  const { course } = await graphql(
    server.url,
    owner.token,
    "query ($id: ID!) { course(id: $id) { modules { lessons { id } } } }",
    { id: courseId },
  );
  const made: string[] = [];
  for (const title of ["Время жизни ссылок", "Итоговая работа: разбор чужой программы", "Макросы"]) {
    const quiz = {
      questions: [{ type: "short_text", prompt: "Как зовут краба?", points: 5, accepted: ["да"] }],
    };
    const body = { title, kind: "quiz", quiz };
    const path = `/api/v1/courses/create_page/${course.modules[0].lessons[0].id}`;
    made.push((await post(server.url, path, body, owner.token)).id);
  }
  const [late = "", exam = "", extra = ""] = made;
  const { createGradeCategory } = await call(
    "mutation ($input: CreateGradeCategoryInput!) { createGradeCategory(input: $input) { category { id } } }",
    { courseId, title: "Экзамен", weight: "60" },
  );
  const items =
    "mutation ($input: SetGradeItemsInput!) { setGradeItems(input: $input) { settings { courseId } } }";
  const categoryId = createGradeCategory.category.id;
  await call(items, { courseId, pageIds: [late, exam, extra], categoryId, points: "20" });
  await call(items, { courseId, pageIds: [extra], extraCredit: true, points: "5" });
  const page = "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { id } } }";
  await call(page, {
    pageId: late,
    dueAt: day(-2),
    lateUntil: day(5),
    latePenaltyPerDay: 10,
    latePenaltyMax: 50,
  });
  await call(page, { pageId: exam, dueAt: `${day(20)}T18:00` });
  const { page: taken } = await graphql(
    server.url,
    learner.token,
    "query ($id: ID!) { page(id: $id) { quiz { questions { id } } } }",
    { id: late },
  );
  const answers = taken.quiz.questions.map(({ id }: { id: string }) => ({ question_id: id, text: "да" }));
  await post(server.url, `/api/v1/courses/submit_quiz/${late}`, { answers }, learner.token);
  await decide(world, { enrollmentId: world.enrollmentId, pageId: extra, kind: "EXCUSED", reason: "Болела" });
  await call(
    "mutation ($input: UpdateGradeCategoryInput!) { updateGradeCategory(input: $input) { settings { courseId } } }",
    { categoryId: world.categoryId, dropLowest: 1 },
  );
  return { ...world, quizzes: [...quizzes, ...made] };
}
