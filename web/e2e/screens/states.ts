import type { Locator, Page } from "playwright-core";
import { graphql, post } from "../../../scripts/client.mjs";
import { field } from "../app.ts";
import { makeCourse } from "../authoring.ts";
import { text } from "../editing.ts";
import { enroll, type Person, person } from "../people.ts";
import { question } from "../quizKeys.ts";
import { everyKind, ids } from "../quizzes.ts";
import type { Screen, Stage } from "../stage.ts";

// Photographed alone: what axe thinks of these states is asked where they are tested.

/** A quiz and a class that has been at it for a while. */
export const states: Screen[] = [
  {
    name: "home-stuck",
    show: async (page, stage) => {
      const { stuck } = await aClass(stage);
      await as(page, stuck, "/");
      await page.getByRole("link", { name: "Открыть курс" }).waitFor();
    },
  },
  {
    name: "home-many",
    show: async (page, stage) => {
      await as(page, await author(stage), "/");
      await field(page, "Найти курс по названию").waitFor();
    },
  },
  {
    name: "home-nothing-found",
    show: async (page, stage) => {
      await as(page, await author(stage), "/?search=керамика");
      await page.getByText("ничего не нашлось").waitFor();
    },
  },
  {
    name: "home-undo",
    show: async (page, stage) => {
      const who = await author(stage);
      // Another one each time: this one goes when its time to be taken back is over.
      await makeCourse(stage.server, who, "Лепка");
      await as(page, who, "/");
      await page.getByRole("button", { name: "Действия с курсом «Лепка»" }).first().click();
      await page.getByRole("menuitem", { name: "Удалить" }).click();
      await page.getByRole("button", { name: "Отменить" }).waitFor();
    },
  },
  {
    name: "home-code-refused",
    show: async (page, stage) => {
      await as(page, stage.newcomer, "/?code=AAAA-AAAA");
      await page.getByRole("button", { name: "Записаться" }).click();
      await page.getByRole("textbox", { name: "Код курса", description: /.+/ }).waitFor();
      await page.locator("[class*=error]").first().waitFor();
    },
  },
  {
    name: "home-loading",
    who: "learner",
    show: async (page) => {
      await hold(page, "Home");
      await page.goto("/");
      await page.getByRole("status", { name: "Загрузка" }).first().waitFor();
    },
  },
  {
    name: "view-course-loading",
    who: "learner",
    show: async (page, { course }) => {
      await hold(page, "CourseTree");
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByRole("status").first().waitFor();
    },
  },
  {
    name: "view-page-loading",
    who: "learner",
    show: async (page, { pages }) => {
      await hold(page, "ReadingPage");
      await page.goto(`/view-page/${pages[1]}`);
      await page
        .getByRole("navigation", { name: "Содержание курса" })
        .or(page.getByRole("main"))
        .last()
        .waitFor();
    },
  },
  {
    name: "view-page-offline",
    who: "learner",
    show: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[1]}`);
      await page.getByRole("article").waitFor();
      await page.context().setOffline(true);
      await page.getByText("Нет соединения. Показываем то, что уже загружено.").waitFor();
    },
  },
  {
    name: "view-page-end",
    who: "learner",
    show: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[1]}`);
      await page
        .getByRole("navigation", { name: "Соседние страницы" })
        .or(page.locator("a[rel=next]"))
        .last()
        .waitFor();
      await page.locator("a[rel=next]").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "view-page-print",
    who: "learner",
    show: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[1]}`);
      await page.getByRole("article").waitFor();
      await page.emulateMedia({ media: "print" });
    },
  },
  {
    name: "something-went-wrong",
    who: "learner",
    show: async (page, { course }) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.route("**/assets/**", (route) => route.abort());
      await page.locator(`a[href="/view-course/${course.course_id}"]`).first().click();
      await page.getByText("Something went wrong!").waitFor();
    },
  },
  {
    name: "view-course-new",
    show: async (page, stage) => {
      const who = await person(stage.server, "Зайцева Вера Львовна");
      await enroll(stage.server, who, stage.course.share_code);
      await as(page, who, `/view-course/${stage.course.course_id}`);
      await page.getByRole("link", { name: "Начать" }).waitFor();
    },
  },
  {
    name: "view-course-progress-new",
    show: async (page, stage) => {
      const who = await person(stage.server, "Зайцева Вера Львовна");
      await enroll(stage.server, who, stage.course.share_code);
      await as(page, who, `/view-course/${stage.course.course_id}?tab=progress`);
      await page.getByText("Пока ничего не прочитано").waitFor();
    },
  },
  {
    name: "view-course-preview",
    who: "superuser",
    show: async (page, { course }) => {
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByText("Так курс видят ученики.").waitFor();
    },
  },
  {
    name: "view-course-progress-quizzes",
    show: async (page, stage) => {
      const { courseId, students } = await aClass(stage);
      await as(page, students[0], `/view-course/${courseId}?tab=progress`);
      await page.getByRole("list", { name: /Попытки/ }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "quiz",
    show: async (page, stage) => {
      await takeQuiz(page, stage);
    },
  },
  {
    name: "quiz-matching",
    show: async (page, stage) => {
      await takeQuiz(page, stage);
      const matching = question(page, "matching");
      await matching.getByRole("button", { name: "создаёт проект", exact: true }).click();
      await matching.getByRole("button", { name: "Пара к «cargo new»: пусто" }).click();
      await matching.scrollIntoViewIfNeeded();
    },
  },
  {
    name: "quiz-open-questions",
    show: async (page, stage) => {
      await takeQuiz(page, stage);
      await question(page, "single").getByLabel("mut").check();
      await page.getByRole("button", { name: "Отправить ответы" }).click();
      await toSee(page.getByText("Без ответа остал"));
    },
  },
  {
    name: "quiz-result",
    show: async (page, stage) => {
      await halfRight(page, stage);
    },
  },
  {
    name: "quiz-result-answers",
    show: async (page, stage) => {
      await halfRight(page, stage);
      await question(page, "multiple")
        .or(page.getByText("Какие из этих типов хранят целые числа?"))
        .last()
        .evaluate((element) => element.scrollIntoView({ block: "start" }));
    },
  },
  {
    name: "quiz-result-print",
    show: async (page, stage) => {
      await halfRight(page, stage);
      await page.emulateMedia({ media: "print" });
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    },
  },
  {
    name: "quiz-offline",
    show: async (page, stage) => {
      await takeQuiz(page, stage);
      await question(page, "single").getByLabel("mut").check();
      await page.context().setOffline(true);
      await page.getByRole("button", { name: "Отправить ответы" }).click();
      await page.getByRole("button", { name: "Всё равно отправить" }).click();
      await toSee(page.getByText("Нет сети. Ответы сохранены"));
    },
  },
  {
    name: "students-class",
    show: async (page, stage) => {
      const { teacher, courseId, students, live } = await aClass(stage);
      await as(page, teacher, `/edit-course/${courseId}?tab=students`);
      await page.getByRole("table").waitFor();
      await live();
      await page.getByText("новая запись на курс").first().waitFor();
      await page.getByRole("link", { name: students[0].fullName }).waitFor();
    },
  },
  {
    name: "students-nothing-found",
    show: async (page, stage) => {
      const { teacher, courseId } = await aClass(stage);
      await as(page, teacher, `/edit-course/${courseId}?tab=students&search=Ломоносов`);
      await page.getByText("никого нет").waitFor();
    },
  },
  {
    name: "students-map-class",
    show: async (page, stage) => {
      const { teacher, courseId } = await aClass(stage);
      await as(page, teacher, `/edit-course/${courseId}?tab=students&view=map`);
      await page
        .getByText(/% баллов/)
        .first()
        .waitFor();
    },
  },
  {
    name: "students-map-questions",
    show: async (page, stage) => {
      const { teacher, courseId } = await aClass(stage);
      await as(page, teacher, `/edit-course/${courseId}?tab=students&view=map`);
      await page
        .getByText(/% баллов/)
        .first()
        .waitFor();
      await page.getByRole("region", { name: "Самые трудные вопросы" }).scrollIntoViewIfNeeded();
      await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
    },
  },
  {
    name: "student-attempts",
    show: async (page, stage) => {
      await openStudent(page, stage);
      await toSee(page.getByRole("button", { name: "Попытка 1: 0 %" }).first());
    },
  },
  {
    name: "student-answers",
    show: async (page, stage) => {
      await openStudent(page, stage);
      await page.getByRole("button", { name: "Попытка 1: 0 %" }).first().click();
      await page.getByRole("dialog").getByText("Ответ ученика").first().waitFor();
    },
  },
  {
    name: "student-remove",
    show: async (page, stage) => {
      await openStudent(page, stage);
      await page.getByRole("button", { name: "Убрать из курса" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Убрать из курса" }).waitFor();
    },
  },
  {
    name: "edit-course-team",
    show: async (page, stage) => {
      const { teacher, courseId } = await aClass(stage);
      await as(page, teacher, `/edit-course/${courseId}?tab=settings`);
      await toSee(page.getByText(/приглашение действует до/).first());
    },
  },
  {
    name: "edit-course-new-code",
    show: async (page, stage) => {
      const { teacher, courseId } = await aClass(stage);
      await as(page, teacher, `/edit-course/${courseId}?tab=settings`);
      await page.getByRole("button", { name: "Создать новый код" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Создать новый код" }).waitFor();
    },
  },
  {
    name: "invitation-refused",
    who: "newcomer",
    show: async (page) => {
      await page.goto("/accept-invitation?token=not.a.token");
      await page.getByRole("heading", { name: "Приглашение не подошло" }).waitFor();
    },
  },
  {
    name: "edit-page-left-behind",
    show: async (page, stage) => {
      const who = await author(stage);
      const course = await makeCourse(stage.server, who, "Гончарное дело", {
        Глина: { "Первая чашка": ["Как размять глину"] },
      });
      const id = await firstPage(stage, who, course);
      await as(page, who, "/");
      const context = page.context();
      const other = await context.newPage();
      await other.goto(`/edit-page/${id}`);
      await text(other).waitFor();
      await context.setOffline(true);
      await text(other).click();
      await other.keyboard.insertText("Глину мнут, пока из неё не выйдет воздух.");
      await other.getByText("Нет сети: сохраним позже").waitFor();
      await other.close();
      await context.setOffline(false);
      await page.goto(`/edit-page/${id}`);
      await page.getByText("остался несохранённый текст").waitFor();
    },
  },
  {
    name: "palette-none",
    who: "learner",
    show: async (page) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("Control+k");
      await page.locator("dialog[open] [role=combobox]").fill("керамика и гончарное дело");
      await page.waitForTimeout(800);
    },
  },
  {
    name: "admin-nobody-found",
    who: "superuser",
    show: async (page) => {
      await page.goto("/admin?search=ломоносов");
      await page.getByText("ломоносов").first().waitFor();
    },
  },
  {
    name: "login-english",
    show: async (page) => {
      await page.goto("/login");
      await page.getByRole("button", { name: "English" }).click();
      await page.getByRole("button", { name: "Log in" }).waitFor();
    },
  },
  {
    name: "home-english",
    who: "learner",
    show: async (page) => {
      await page.goto("/");
      await page.evaluate(() => localStorage.setItem("language", "en"));
      await page.reload();
      await page.getByRole("heading", { name: "My courses" }).waitFor();
    },
  },
];

/** A smaller quiz than that of every kind: who takes it can pass. */
const quiz = {
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

interface Class {
  teacher: Person;
  courseId: string;
  students: [Person, ...Person[]];
  /** Out of attempts, with nothing before it to read. */
  stuck: Person;
  everyKindId: string;
  /** Somebody joins. */
  live: () => Promise<void>;
}

const classes = new WeakMap<Stage, Promise<Class>>();
const authors = new WeakMap<Stage, Promise<Person>>();

function once<T>(of: WeakMap<Stage, Promise<T>>, stage: Stage, make: () => Promise<T>): Promise<T> {
  const made = of.get(stage) ?? make();
  of.set(stage, made);
  return made;
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

export function aClass(stage: Stage): Promise<Class> {
  return once(classes, stage, async () => {
    const { server } = stage;
    const teacher = await person(server, "Соколова Вера Павловна");
    const call = (token: string, path: string, body: object = {}) =>
      post(server.url, `/api/v1/courses/${path}`, body, token);
    const { id: courseId } = await call(teacher.token, "create_course", {
      title: "Основы Rust, осенний поток",
    });
    const made: { id: string; quiz: boolean }[] = [];
    let everyKindId = "";
    for (const [module, lessons] of Object.entries(plan)) {
      const { id: moduleId } = await call(teacher.token, `create_module/${courseId}`, { title: module });
      for (const [lesson, pages] of Object.entries(lessons)) {
        const { id: lessonId } = await call(teacher.token, `create_lesson/${moduleId}`, { title: lesson });
        for (const title of pages) {
          const kind =
            title === "Проверьте себя"
              ? { kind: "quiz", quiz }
              : title === "Экзамен"
                ? { kind: "quiz", quiz: everyKind }
                : {};
          const { id } = await call(teacher.token, `create_page/${lessonId}`, { title, ...kind });
          if (title === "Экзамен") everyKindId = id;
          made.push({ id, quiz: title === "Проверьте себя" });
        }
      }
    }
    const { share_code } = await call(teacher.token, `generate_share_code/${courseId}`);
    const quizzes = made.filter((page) => page.quiz);
    const answer = async (who: Person, pageId: string, right: number) => {
      const query = "query ($id: ID!) { page(id: $id) { quiz { questions { __typename id prompt } } } }";
      const { questions } = (await graphql(server.url, who.token, query, { id: pageId })).page.quiz;
      const answers = questions.map((one: { __typename: string; id: string }, at: number) =>
        one.__typename === "NumericQuestion"
          ? { question_id: one.id, number: at < right ? 16 : 8 }
          : { question_id: one.id, text: at < right ? (at === 0 ? "Cargo" : "let") : "make" },
      );
      await call(who.token, `submit_quiz/${pageId}`, { answers });
    };
    const students: Person[] = [];
    for (const [at, name] of NAMES.entries()) {
      const who = await person(server, name);
      students.push(who);
      await enroll(server, who, share_code);
      const upTo = [9, 3, 5, 2, 8, 4, 1, 6, 5, 0][at] ?? 0;
      for (const { id, quiz } of made.slice(0, upTo)) {
        await call(who.token, `mark_page_visited/${id}`);
        if (!quiz) continue;
        await answer(who, id, at % 3);
        if (at % 3 < 2 && at !== 3) await answer(who, id, 3);
      }
    }
    const stuck = await person(server, "Тихонов Пётр Ильич");
    await enroll(server, stuck, share_code);
    for (const { id, quiz } of made)
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
      students: students as [Person, ...Person[]],
      stuck,
      everyKindId,
      live: async () => {
        // The subscription is on its way, and each window needs somebody to come.
        await new Promise((done) => setTimeout(done, 1500));
        joined += 1;
        const who = await person(server, `Новикова Нина ${joined > 1 ? "Павловна" : "Ивановна"}`);
        await enroll(server, who, share_code);
        await call(who.token, `mark_page_visited/${made[0]?.id}`);
      },
    };
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

/** Somebody with a shelf of courses. */
function author(stage: Stage): Promise<Person> {
  return once(authors, stage, async () => {
    const who = await person(stage.server, "Васильева Марина Юрьевна");
    for (const title of [
      "Анатомия для художников",
      "Введение в перспективу",
      "Композиция: от наброска к картине, или Почему взгляд идёт именно туда",
      "Рисунок углём",
      "Акварель",
      "История русского авангарда",
      "Цвет",
    ])
      await makeCourse(stage.server, who, title, { Начало: { "Первый урок": ["Материалы", null] } });
    await enroll(stage.server, who, stage.course.share_code);
    return who;
  });
}

async function firstPage({ server }: Stage, who: Person, courseId: string): Promise<string> {
  const query = "query ($id: ID!) { course(id: $id) { modules { lessons { pages { id } } } } }";
  const { course } = await graphql(server.url, who.token, query, { id: courseId });
  return course.modules[0].lessons[0].pages[0].id;
}

async function openStudent(page: Page, stage: Stage): Promise<void> {
  const { teacher, courseId, students } = await aClass(stage);
  await as(page, teacher, `/edit-course/${courseId}?tab=students`);
  await page.getByRole("link", { name: students[0].fullName }).click();
  await page.getByRole("heading", { name: students[0].fullName }).waitFor();
  await page.getByRole("button", { name: /Переменные и типы/ }).click();
}

/** Somebody new at the quiz of every kind of question. */
async function takeQuiz(page: Page, stage: Stage): Promise<void> {
  const { courseId, teacher, everyKindId } = await aClass(stage);
  const query = "query ($id: ID!) { course(id: $id) { shareCode } }";
  const { course } = await graphql(stage.server.url, teacher.token, query, { id: courseId });
  const who = await person(stage.server, "Фёдорова Дарья Максимовна");
  await enroll(stage.server, who, course.shareCode);
  await as(page, who, `/view-page/${everyKindId}`);
  await page.getByRole("form", { name: "Тест" }).waitFor();
}

async function halfRight(page: Page, stage: Stage): Promise<void> {
  await takeQuiz(page, stage);
  await question(page, "single").getByLabel("mut").check();
  await question(page, "multiple").getByLabel("i32").check();
  await question(page, "multiple").getByLabel("f64").check();
  await question(page, "text").getByRole("textbox").fill("make");
  await question(page, "numeric").getByRole("textbox").fill("16");
  const matching = question(page, "matching");
  await matching.getByRole("button", { name: "создаёт проект", exact: true }).click();
  await matching.getByRole("button", { name: "Пара к «cargo new»: пусто" }).click();
  await matching.getByRole("button", { name: "собирает проект", exact: true }).click();
  await matching.getByRole("button", { name: "Пара к «cargo doc»: пусто" }).click();
  await question(page, "blanks").getByLabel("Пропуск 1").fill("владелец");
  await page.getByRole("button", { name: "Отправить ответы" }).click();
  await page.getByRole("button", { name: "Всё равно отправить" }).click();
  await page.getByRole("heading", { name: /Тест (пока не )?пройден/ }).waitFor();
}

export async function as(page: Page, who: Person, path: string): Promise<void> {
  await page.goto("/login");
  await page.evaluate((token) => localStorage.setItem("access_token", token), who.token);
  await page.goto(path);
}

/** The answer to this question does not come. */
export async function hold(page: Page, operation: string): Promise<void> {
  await page.route("**/graphql", (route) =>
    route.request().postDataJSON()?.operationName === operation ? undefined : route.continue(),
  );
}

export async function toSee(what: Locator): Promise<void> {
  await what.waitFor();
  await what.evaluate((element) => element.scrollIntoView({ block: "center" }));
}
