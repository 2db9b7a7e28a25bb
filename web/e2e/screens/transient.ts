import type { Page } from "@playwright/test";
import { post } from "../../../scripts/client.mjs";
import { unzip, zip } from "../../../scripts/zip.mjs";
import { createCourse, enroll, signUp } from "../api.ts";
import { everyKind, ids } from "../classroom.ts";
import { openOutline, outline } from "../course-outline.ts";
import { contentField } from "../page-editor.ts";
import { question } from "../quiz-keyboard.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { getClass, openAs, scrollIntoView } from "./class.ts";

/** States that need a provoked situation, for example a running import. They are not checked with axe. */
export const transient: Screen[] = [
  {
    name: "import-running",
    viewer: "superuser",
    open: async (page, sample) => {
      await showRunningImport(page, sample);
      await page.getByRole("progressbar").waitFor();
    },
  },
  {
    name: "import-failed",
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/import");
      await send(page, "Курс.zip", Buffer.from("PK\x03\x04 и всё"));
      await page.getByRole("alert").filter({ hasText: "Импорт не удался" }).waitFor();
    },
  },
  {
    name: "import-update",
    open: async (page, sample) => {
      const { teacher, courseId } = await getClass(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=settings`);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Скачать: Kurso Markdown" }).click(),
      ]);
      const files = unzip(Buffer.concat(await (await download.createReadStream()).toArray()));
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
      await send(page, "Основы Rust.zip", zip(files));
      await page.getByText("Удалятся: 1").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "settings-further",
    viewer: "learner",
    open: async (page) => {
      await page.goto("/settings");
      await page.getByRole("list", { name: "Сеансы" }).waitFor();
      await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
    },
  },
  {
    name: "login-with-code",
    open: async (page) => {
      await page.goto("/?code=ABCD-2345");
      await page.getByText("Код ABCD-2345 сохранён").waitFor();
    },
  },
  {
    name: "home-with-code",
    open: async (page, sample) => {
      const account = await signUp(sample.server, "Морозова Ирина Олеговна");
      await openAs(page, account, `/?code=${sample.course.share_code}`);
      await page.getByRole("button", { name: "Записаться" }).waitFor();
    },
  },
  {
    name: "admin-audit-person",
    viewer: "superuser",
    open: async (page) => {
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
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/admin?tab=system");
      await page.getByRole("button", { name: "Отправить пробное письмо" }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "quiz-passed-without-answers",
    open: async (page, sample) => {
      await openSmallQuiz(page, sample, { reveal: "never" });
      await submitAnswer(page, "mut");
      await page.getByRole("heading", { name: "Тест пройден" }).waitFor();
    },
  },
  {
    name: "quiz-out-of-attempts",
    open: async (page, sample) => {
      await openSmallQuiz(page, sample, { reveal: "after_pass", max_attempts: 1 });
      await submitAnswer(page, "let");
      await page.getByRole("button", { name: "Да, отправить" }).click();
      await page.getByRole("heading", { name: "Тест пока не пройден" }).waitFor();
    },
  },
  {
    name: "quiz-last-attempt",
    open: async (page, sample) => {
      await openSmallQuiz(page, sample, { reveal: "after_pass", max_attempts: 1 });
      await submitAnswer(page, "let");
      await page.getByRole("button", { name: "Да, отправить" }).waitFor();
    },
  },
  {
    name: "edit-quiz-pairs",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await page.goto(`/edit-page/${copy.quizId}`);
      await page.locator("[data-header]").nth(4).click();
      await scrollIntoView(page.getByText("Пара 1, слева").or(page.getByLabel("Пара 1, слева")).first());
    },
  },
  {
    name: "edit-quiz-settings",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await page.goto(`/edit-page/${copy.quizId}`);
      await page.locator("[data-header]").first().waitFor();
      await scrollIntoView(page.getByText("Настройки теста"));
    },
  },
  {
    name: "edit-page-insert",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await page.goto(`/edit-page/${copy.pageId}`);
      await contentField(page).waitFor();
      await page.getByRole("button", { name: "Вставить" }).click();
      await page.getByRole("menu", { name: "Вставить" }).waitFor();
    },
  },
  {
    name: "edit-course-keys",
    viewer: "superuser",
    open: async (page, { course }) => {
      await openOutline(page, course.course_id);
      await page.getByRole("button", { name: "Клавиши" }).click();
      await page.getByRole("dialog").getByText("по строкам").waitFor();
    },
  },
  {
    name: "edit-course-undo",
    open: async (page, sample) => {
      const account = await signUp(sample.server, "Громова Ольга Петровна");
      const id = await createCourse(sample.server, account, "Фотография", {
        Свет: { "Первый урок": ["Утро", "День", "Вечер"] },
      });
      await openAs(page, account, "/");
      await openOutline(page, id);
      await outline(page).getByRole("row", { name: /Вечер/ }).press("Delete");
      await page.getByText("Страница «Вечер» удалена").waitFor();
    },
  },
  {
    name: "edit-course-end",
    open: async (page, sample) => {
      const { teacher, courseId } = await getClass(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=settings`);
      await page.getByRole("button", { name: "Удалить курс…" }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "student-reset",
    open: async (page, sample) => {
      const { teacher, courseId, students } = await getClass(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=students`);
      await page.getByRole("link", { name: students[0].fullName }).first().click();
      await page.getByRole("button", { name: /Переменные и типы/ }).click();
      await page.getByRole("button", { name: "Сбросить попытки" }).first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
];

async function send(page: Page, name: string, buffer: Buffer, mimeType = "application/zip"): Promise<void> {
  await page.getByLabel("Выбрать файл").last().setInputFiles({ name, mimeType, buffer });
}

/** Shows a finished import as a running one by changing its state in the response. */
async function showRunningImport(page: Page, sample: SampleData): Promise<void> {
  // The subscription would report that the import is finished.
  await page.routeWebSocket("**/graphql", () => {});
  await page.route("**/graphql", async (route) => {
    if (route.request().postDataJSON()?.operationName !== "ImportJob") return route.continue();
    const answer = await route.fetch();
    const body = await answer.json();
    Object.assign(body.data.importJob, {
      state: "RUNNING",
      sample: "READING",
      filename: `${sample.courseTitle}.zip`,
      found: null,
      progress: { __typename: "ImportProgress", done: 41, total: 104, file: "src/ch04-02-references.md" },
    });
    return route.fulfill({ response: answer, json: body });
  });
  await page.goto("/import");
  const questions = Buffer.from("::Сумма:: Сколько будет 2 + 2? {=4 ~5}\n");
  await send(page, "Вопросы.gift", questions, "text/plain");
}

/** Selects an option of the only question and submits. */
async function submitAnswer(page: Page, answer: string): Promise<void> {
  await page.getByLabel(answer, { exact: true }).check();
  await page.getByRole("button", { name: "Отправить ответы" }).click();
}

/** Opens a quiz of one question as a new learner. */
async function openSmallQuiz(page: Page, sample: SampleData, settings: object): Promise<void> {
  const { server } = sample;
  const teacher = await signUp(server, "Соколова Вера Павловна");
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
  const account = await signUp(server, "Фёдорова Дарья Максимовна");
  await enroll(server, account, share_code);
  await openAs(page, account, `/view-page/${id}`);
  await question(page, "single").waitFor();
}
