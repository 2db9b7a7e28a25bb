import type { Locator, Page } from "@playwright/test";
import { graphql, post } from "../../../scripts/client.mjs";
import { type Account, createCourse, enroll, signUp } from "../api.ts";
import { everyKind, ids } from "../classroom.ts";
import type { SampleData } from "../sample-data.ts";

/** A short quiz with typed answers. */
const shortQuiz = {
  pass_percent: 60,
  max_attempts: 2,
  reveal: "after_submit",
  questions: [
    ...everyKind.questions.filter((one) => one.id === ids.text || one.id === ids.numeric),
    {
      type: "short_text",
      prompt: "Каким словом объявляют неизменяемую переменную?",
      accepted: ["let"],
    },
  ].map((one) => ({ ...one, id: undefined })),
};

export interface Class {
  teacher: Account;
  courseId: string;
  students: [Account, ...Account[]];
  /** A learner who visited all pages but has no attempts left at a quiz. */
  stuck: Account;
  everyKindId: string;
  /** Enrolls a new learner, who visits the first page. */
  enrollNewLearner: () => Promise<void>;
}

const classes = new WeakMap<SampleData, Promise<Class>>();
const authors = new WeakMap<SampleData, Promise<Account>>();

function once<T>(
  of: WeakMap<SampleData, Promise<T>>,
  sample: SampleData,
  create: () => Promise<T>,
): Promise<T> {
  const created = of.get(sample) ?? create();
  of.set(sample, created);
  return created;
}

const NAMES = [
  "Белова Анна Сергеевна",
  "Борисов Борис Борисович",
  "Гончаров Илья Андреевич",
  "Ёлкина Ольга Петровна",
  "Жукова Мария Олеговна",
  "Константинопольский Константин Константинович",
  "Кузнецов Денис Викторович",
  "Лебедева Софья Ильинична",
  "Орлов Никита Романович",
  "Яшина Яна Ильинична",
] as const;

/** A course with learners at different stages, created once per server. */
export function getClass(sample: SampleData): Promise<Class> {
  return once(classes, sample, async () => {
    const { server } = sample;
    const teacher = await signUp(server, "Соколова Вера Павловна");
    const call = (token: string, path: string, body: object = {}) =>
      post(server.url, `/api/v1/courses/${path}`, body, token);
    const { id: courseId } = await call(teacher.token, "create_course", {
      title: "Основы Rust, осенний поток",
    });
    const pages: { id: string; quiz: boolean }[] = [];
    let everyKindId = "";
    for (const [module, lessons] of Object.entries(plan)) {
      const { id: moduleId } = await call(teacher.token, `create_module/${courseId}`, { title: module });
      for (const [lesson, titles] of Object.entries(lessons)) {
        const { id: lessonId } = await call(teacher.token, `create_lesson/${moduleId}`, { title: lesson });
        for (const title of titles) {
          const kind =
            title === "Проверьте себя"
              ? { kind: "quiz", quiz: shortQuiz }
              : title === "Экзамен"
                ? { kind: "quiz", quiz: everyKind }
                : {};
          const { id } = await call(teacher.token, `create_page/${lessonId}`, { title, ...kind });
          if (title === "Экзамен") everyKindId = id;
          pages.push({ id, quiz: title === "Проверьте себя" });
        }
      }
    }
    const { share_code } = await call(teacher.token, `generate_share_code/${courseId}`);
    const quizzes = pages.filter((page) => page.quiz);
    const answer = async (account: Account, pageId: string, right: number) => {
      const query = "query ($id: ID!) { page(id: $id) { quiz { questions { __typename id prompt } } } }";
      const { questions } = (await graphql(server.url, account.token, query, { id: pageId })).page.quiz;
      const answers = questions.map((one: { __typename: string; id: string }, at: number) =>
        one.__typename === "NumericQuestion"
          ? { question_id: one.id, number: at < right ? 16 : 8 }
          : { question_id: one.id, text: at < right ? (at === 0 ? "Cargo" : "let") : "make" },
      );
      await call(account.token, `submit_quiz/${pageId}`, { answers });
    };
    const students: Account[] = [];
    for (const [at, name] of NAMES.entries()) {
      const account = await signUp(server, name);
      students.push(account);
      await enroll(server, account, share_code);
      const upTo = [9, 3, 5, 2, 8, 4, 1, 6, 5, 0][at] ?? 0;
      for (const { id, quiz } of pages.slice(0, upTo)) {
        await call(account.token, `mark_page_visited/${id}`);
        if (!quiz) continue;
        await answer(account, id, at % 3);
        if (at % 3 < 2 && at !== 3) await answer(account, id, 3);
      }
    }
    const stuck = await signUp(server, "Тихонов Пётр Ильич");
    await enroll(server, stuck, share_code);
    for (const { id, quiz } of pages)
      if (!quiz && id !== everyKindId) await call(stuck.token, `mark_page_visited/${id}`);
    for (const { id } of quizzes) for (const right of [0, 1]) await answer(stuck, id, right);
    for (const [email, role] of [
      ["marina.vasilieva@example.com", "TEACHER"],
      ["o.tarasov@example.com", "EDITOR"],
    ]) {
      await graphql(
        server.url,
        teacher.token,
        "mutation ($input: InviteCollaboratorInput!) { inviteCollaborator(input: $input) { __typename } }",
        { input: { courseId, email, role } },
      );
    }
    let joined = 0;
    return {
      teacher,
      courseId,
      students: students as [Account, ...Account[]],
      stuck,
      everyKindId,
      enrollNewLearner: async () => {
        joined += 1;
        const account = await signUp(server, `Новикова Нина ${joined > 1 ? "Павловна" : "Ивановна"}`);
        await enroll(server, account, share_code);
        await call(account.token, `mark_page_visited/${pages[0]?.id}`);
      },
    };
  });
}

/** The same class in a copy of the course, most of it in two groups, one of which has a code. */
const grouped = new WeakMap<
  SampleData,
  Promise<Pick<Class, "teacher" | "courseId" | "students"> & { groupId: string }>
>();

export function getGroups(sample: SampleData) {
  return once(grouped, sample, async () => {
    const { server } = sample;
    const { teacher, courseId: original, students } = await getClass(sample);
    const call = (path: string, body: object = {}) =>
      post(server.url, `/api/v1/courses/${path}`, body, teacher.token);
    const { id: courseId } = await call(`duplicate_course/${original}`);
    const { share_code } = await call(`generate_share_code/${courseId}`);
    for (const student of students) await enroll(server, student, share_code);
    const ids = [];
    for (const title of ["Утренняя группа", "Вечерняя группа"])
      ids.push((await call(`create_group/${courseId}`, { title })).id);
    const [groupId, other] = ids;
    await call(`generate_group_code/${groupId}`);
    const emails = (from: number, to: number) =>
      students
        .slice(from, to)
        .map(({ email }) => email)
        .join("\n");
    await call(`move_students_by_email/${courseId}`, { emails: emails(0, 5), group_id: groupId });
    await call(`move_students_by_email/${courseId}`, { emails: emails(5, 8), group_id: other });
    return { teacher, courseId, students, groupId };
  });
}

const plan = {
  "Первые шаги": {
    "Установка и первая программа": ["Что понадобится", "Привет, мир", "Cargo и его команды"],
    "Переменные и типы": ["Переменные", "Числа, строки, кортежи", "Проверьте себя"],
  },
  Владение: {
    "Кто за что отвечает": ["Что такое владение", "Ссылки и заимствование", "Срезы"],
    "Итоги модуля": ["Проверьте себя", "Экзамен"],
  },
};

/** An author of seven courses, created once per server. */
export function getAuthor(sample: SampleData): Promise<Account> {
  return once(authors, sample, async () => {
    const account = await signUp(sample.server, "Васильева Марина Юрьевна");
    for (const title of [
      "Анатомия для художников",
      "Введение в перспективу",
      "Композиция: от наброска к картине, или Почему взгляд идёт именно туда",
      "Рисунок углём",
      "Акварель",
      "История русского авангарда",
      "Цвет",
    ])
      await createCourse(sample.server, account, title, { Начало: { "Первый урок": ["Материалы", null] } });
    await enroll(sample.server, account, sample.course.share_code);
    return account;
  });
}

/** The ID of the first page of a course. */
export async function firstPage({ server }: SampleData, account: Account, courseId: string): Promise<string> {
  const query = "query ($id: ID!) { course(id: $id) { modules { lessons { pages { id } } } } }";
  const { course } = await graphql(server.url, account.token, query, { id: courseId });
  return course.modules[0].lessons[0].pages[0].id;
}

/** Opens a path with the session of an account. */
export async function openAs(page: Page, account: Account, path: string): Promise<void> {
  await page.goto("/login");
  await page.evaluate((token) => localStorage.setItem("access_token", token), account.token);
  await page.goto(path);
}

/** Leaves a GraphQL operation without a response. */
export async function blockOperation(page: Page, operation: string): Promise<void> {
  await page.route("**/graphql", (route) =>
    route.request().postDataJSON()?.operationName === operation ? undefined : route.continue(),
  );
}

export async function scrollIntoView(target: Locator): Promise<void> {
  await target.waitFor();
  await target.evaluate((element) => element.scrollIntoView({ block: "center" }));
}
