import type { Page } from "playwright-core";
import { post } from "../../../scripts/client.mjs";
import { makeCourse, openOutline, outline } from "../authoring.ts";
import { text } from "../editing.ts";
import { enroll, person } from "../people.ts";
import { question } from "../quizKeys.ts";
import { everyKind, ids } from "../quizzes.ts";
import type { Screen, Stage } from "../stage.ts";
import { unzipped, zipped } from "../zip.ts";
import { aClass, as, toSee } from "./states.ts";

/** What is seen for a moment, or by few: an import at work, what an update would do, quizzes that say little, settings further down. */
export const moments: Screen[] = [
  {
    name: "import-running",
    who: "superuser",
    show: async (page, stage) => {
      await runningImport(page, stage);
      await page.getByRole("progressbar").waitFor();
    },
  },
  {
    name: "import-failed",
    who: "superuser",
    show: async (page) => {
      await page.goto("/import");
      await send(page, "Курс.zip", Buffer.from("PK\x03\x04 и всё"));
      await page.getByRole("alert").filter({ hasText: "Импорт не удался" }).waitFor();
    },
  },
  {
    name: "import-update",
    show: async (page, stage) => {
      const { teacher, courseId } = await aClass(stage);
      await as(page, teacher, `/edit-course/${courseId}?tab=settings`);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Скачать: Kurso Markdown" }).click(),
      ]);
      const files = unzipped(Buffer.concat(await (await download.createReadStream()).toArray()));
      const titled = (title: string) =>
        [...files].find(([, bytes]) => bytes.includes(`title = "${title}"`))?.[0] ?? "";
      const changed = titled("Переменные");
      files.set(
        changed,
        Buffer.concat([files.get(changed) ?? Buffer.alloc(0), Buffer.from("\nНовый абзац.\n")]),
      );
      files.delete(titled("Что понадобится"));
      await page.getByRole("link", { name: "Обновить курс из файла" }).click();
      await page.getByText("станет таким, как в файле").waitFor();
      await send(page, "Основы Rust.zip", zipped(files));
      await page.getByText("Удалятся: 1").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "settings-further",
    who: "learner",
    show: async (page) => {
      await page.goto("/settings");
      await page.getByRole("list", { name: "Сеансы" }).waitFor();
      await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
    },
  },
  {
    name: "login-with-code",
    show: async (page) => {
      await page.goto("/?code=ABCD-2345");
      await page.getByText("Код курса ABCD-2345 сохранён").waitFor();
    },
  },
  {
    name: "home-with-code",
    show: async (page, stage) => {
      const who = await person(stage.server, "Морозова Ирина Олеговна");
      await as(page, who, `/?code=${stage.course.share_code}`);
      await page.getByRole("button", { name: "Записаться" }).waitFor();
    },
  },
  {
    name: "admin-audit-person",
    who: "superuser",
    show: async (page) => {
      await page.goto("/admin?tab=audit");
      await page
        .getByRole("list", { name: "Что было сделано" })
        .getByRole("link", { name: /^Кого касается/ })
        .first()
        .click();
      await page.getByText("Только действия с участием").waitFor();
    },
  },
  {
    name: "admin-test-mail",
    who: "superuser",
    show: async (page) => {
      await page.goto("/admin?tab=system");
      await page.getByRole("button", { name: "Отправить пробное письмо" }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "quiz-passed-without-answers",
    show: async (page, stage) => {
      await takeSmallQuiz(page, stage, { reveal: "never" });
      await handIn(page, "mut");
      await page.getByRole("heading", { name: "Тест пройден" }).waitFor();
    },
  },
  {
    name: "quiz-out-of-attempts",
    show: async (page, stage) => {
      await takeSmallQuiz(page, stage, { reveal: "after_pass", max_attempts: 1 });
      await handIn(page, "let");
      await page.getByRole("button", { name: "Да, отправить" }).click();
      await page.getByRole("heading", { name: "Тест пока не пройден" }).waitFor();
    },
  },
  {
    name: "quiz-last-attempt",
    show: async (page, stage) => {
      await takeSmallQuiz(page, stage, { reveal: "after_pass", max_attempts: 1 });
      await handIn(page, "let");
      await page.getByRole("button", { name: "Да, отправить" }).waitFor();
    },
  },
  {
    name: "edit-quiz-pairs",
    who: "superuser",
    show: async (page, { written }) => {
      await page.goto(`/edit-page/${written.quizId}`);
      await page.locator("[data-header]").nth(4).click();
      await toSee(page.getByText("Пара 1, слева").or(page.getByLabel("Пара 1, слева")).first());
    },
  },
  {
    name: "edit-quiz-settings",
    who: "superuser",
    show: async (page, { written }) => {
      await page.goto(`/edit-page/${written.quizId}`);
      await page.locator("[data-header]").first().waitFor();
      await toSee(page.getByText("Настройки теста"));
    },
  },
  {
    name: "edit-page-insert",
    who: "superuser",
    show: async (page, { written }) => {
      await page.goto(`/edit-page/${written.pageId}`);
      await text(page).waitFor();
      await page.getByRole("button", { name: "Вставить" }).click();
      await page.getByRole("menu", { name: "Вставить" }).waitFor();
    },
  },
  {
    name: "edit-course-keys",
    who: "superuser",
    show: async (page, { course }) => {
      await openOutline(page, course.course_id);
      await page.getByRole("button", { name: "Клавиши" }).click();
      await page.getByRole("dialog").getByText("по строкам").waitFor();
    },
  },
  {
    name: "edit-course-undo",
    show: async (page, stage) => {
      const who = await person(stage.server, "Громова Ольга Петровна");
      const id = await makeCourse(stage.server, who, "Фотография", {
        Свет: { "Первый урок": ["Утро", "День", "Вечер"] },
      });
      await as(page, who, "/");
      await openOutline(page, id);
      await outline(page).getByRole("row", { name: /Вечер/ }).press("Delete");
      await page.getByText("Страница «Вечер» удалена").waitFor();
    },
  },
  {
    name: "edit-course-end",
    show: async (page, stage) => {
      const { teacher, courseId } = await aClass(stage);
      await as(page, teacher, `/edit-course/${courseId}?tab=settings`);
      await page.getByRole("button", { name: "Удалить курс…" }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "student-reset",
    show: async (page, stage) => {
      const { teacher, courseId, students } = await aClass(stage);
      await as(page, teacher, `/edit-course/${courseId}?tab=students`);
      await page.getByRole("link", { name: students[0].fullName }).click();
      await page.getByRole("button", { name: /Переменные и типы/ }).click();
      await page.getByRole("button", { name: "Сбросить попытки" }).first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
];

async function send(page: Page, name: string, buffer: Buffer, mimeType = "application/zip"): Promise<void> {
  await page.getByLabel("Выбрать файл").last().setInputFiles({ name, mimeType, buffer });
}

/** An import as it is on its way: of a real one, only what the server says of its state is older. */
async function runningImport(page: Page, stage: Stage): Promise<void> {
  // What the server tells of it would follow a moment later: it has long been done.
  await page.routeWebSocket("**/graphql", () => {});
  await page.route("**/graphql", async (route) => {
    if (route.request().postDataJSON()?.operationName !== "ImportJob") return route.continue();
    const answer = await route.fetch();
    const body = await answer.json();
    Object.assign(body.data.importJob, {
      state: "RUNNING",
      stage: "READING",
      filename: `${stage.courseTitle}.zip`,
      found: null,
      progress: { __typename: "ImportProgress", done: 41, total: 104, file: "src/ch04-02-references.md" },
    });
    return route.fulfill({ response: answer, json: body });
  });
  await page.goto("/import");
  const questions = Buffer.from("::Сумма:: Сколько будет 2 + 2? {=4 ~5}\n");
  await send(page, "Вопросы.gift", questions, "text/plain");
}

/** The answer to the one question, and the button. */
async function handIn(page: Page, answer: string): Promise<void> {
  await page.getByLabel(answer, { exact: true }).check();
  await page.getByRole("button", { name: "Отправить ответы" }).click();
}

/** Somebody at a quiz of one question. */
async function takeSmallQuiz(page: Page, stage: Stage, settings: object): Promise<void> {
  const { server } = stage;
  const teacher = await person(server, "Соколова Вера Павловна");
  const call = (path: string, body: object = {}) =>
    post(server.url, `/api/v1/courses/${path}`, body, teacher.token);
  const { id: courseId } = await call("create_course", { title: "Основы Rust" });
  const { id: moduleId } = await call(`create_module/${courseId}`, { title: "Первые шаги" });
  const { id: lessonId } = await call(`create_lesson/${moduleId}`, { title: "Переменные" });
  await call(`create_page/${lessonId}`, { title: "Что такое переменная" });
  const questions = everyKind.questions.filter((one) => one.id === ids.single);
  const quiz = { ...everyKind, ...settings, questions };
  const { id } = await call(`create_page/${lessonId}`, { title: "Проверьте себя", kind: "quiz", quiz });
  const { share_code } = await call(`generate_share_code/${courseId}`);
  const who = await person(server, "Фёдорова Дарья Максимовна");
  await enroll(server, who, share_code);
  await as(page, who, `/view-page/${id}`);
  await question(page, "single").waitFor();
}
