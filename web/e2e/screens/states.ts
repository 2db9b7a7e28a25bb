import { expect, type Page } from "@playwright/test";
import { graphql } from "../../../scripts/client.mjs";
import { createCourse, enroll, signUp } from "../api.ts";
import { contentField } from "../page-editor.ts";
import { question } from "../quiz-keyboard.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { field } from "../ui.ts";
import { blockOperation, firstPage, getAuthor, getClass, openAs, scrollIntoView } from "./class.ts";

/** States of quizzes, of a class and of loading. Other tests check most of them with axe, so these are only photographed. */
export const states: Screen[] = [
  {
    name: "home-stuck",
    open: async (page, sample) => {
      const { stuck } = await getClass(sample);
      await openAs(page, stuck, "/");
      await page.getByRole("link", { name: "Открыть курс" }).waitFor();
    },
  },
  {
    name: "home-many",
    open: async (page, sample) => {
      await openAs(page, await getAuthor(sample), "/");
      await field(page, "Найти курс по названию").waitFor();
    },
  },
  {
    name: "home-nothing-found",
    open: async (page, sample) => {
      await openAs(page, await getAuthor(sample), "/?search=керамика");
      await page.getByText("ничего не нашлось").waitFor();
    },
  },
  {
    name: "home-undo",
    open: async (page, sample) => {
      const account = await getAuthor(sample);
      // The deletion becomes final, so each tab needs a course of its own.
      await createCourse(sample.server, account, "Лепка");
      await openAs(page, account, "/");
      await page.getByRole("button", { name: "Действия с курсом «Лепка»" }).first().click();
      await page.getByRole("menuitem", { name: "Удалить" }).click();
      await page.getByRole("button", { name: "Отменить" }).waitFor();
    },
  },
  {
    name: "home-code-refused",
    open: async (page, sample) => {
      await openAs(page, sample.newcomer, "/?code=AAAA-AAAA");
      await page.getByRole("button", { name: "Записаться" }).click();
      await page.getByRole("textbox", { name: "Код курса", description: /.+/ }).waitFor();
      await page.locator("[class*=error]").first().waitFor();
    },
  },
  {
    name: "home-loading",
    viewer: "learner",
    open: async (page) => {
      await blockOperation(page, "Home");
      await page.goto("/");
      await page.getByRole("status", { name: "Загрузка" }).first().waitFor();
    },
  },
  {
    name: "view-course-loading",
    viewer: "learner",
    open: async (page, { course }) => {
      await blockOperation(page, "CourseTree");
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByRole("status").first().waitFor();
    },
  },
  {
    name: "view-page-loading",
    viewer: "learner",
    open: async (page, { pages }) => {
      await blockOperation(page, "ReadingPage");
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
    viewer: "learner",
    open: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[1]}`);
      await page.getByRole("article").waitFor();
      await page.context().setOffline(true);
      await page.getByText("Нет соединения. Показываем то, что уже загружено.").waitFor();
    },
  },
  {
    name: "view-page-end",
    viewer: "learner",
    open: async (page, { pages }) => {
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
    viewer: "learner",
    open: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[1]}`);
      await page.getByRole("article").waitFor();
      await page.emulateMedia({ media: "print" });
    },
  },
  {
    name: "something-went-wrong",
    viewer: "learner",
    open: async (page, { course }) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.route("**/assets/**", (route) => route.abort());
      await page.locator(`a[href="/view-course/${course.course_id}"]`).first().click();
      await page.getByText("Something went wrong!").waitFor();
    },
  },
  {
    name: "view-course-new",
    open: async (page, sample) => {
      const account = await signUp(sample.server, "Зайцева Вера Львовна");
      await enroll(sample.server, account, sample.course.share_code);
      await openAs(page, account, `/view-course/${sample.course.course_id}`);
      await page.getByRole("link", { name: "Начать" }).waitFor();
    },
  },
  {
    name: "view-course-progress-new",
    open: async (page, sample) => {
      const account = await signUp(sample.server, "Зайцева Вера Львовна");
      await enroll(sample.server, account, sample.course.share_code);
      await openAs(page, account, `/view-course/${sample.course.course_id}?tab=progress`);
      await page.getByText("Пока ничего не прочитано").waitFor();
    },
  },
  {
    name: "view-course-preview",
    viewer: "superuser",
    open: async (page, { course }) => {
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByText("Так курс видят ученики.").waitFor();
    },
  },
  {
    name: "view-course-progress-quizzes",
    open: async (page, sample) => {
      const { courseId, students } = await getClass(sample);
      await openAs(page, students[0], `/view-course/${courseId}?tab=progress`);
      await page.getByRole("list", { name: /Попытки/ }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "quiz",
    open: async (page, sample) => {
      await openQuiz(page, sample);
    },
  },
  {
    name: "quiz-matching",
    open: async (page, sample) => {
      await openQuiz(page, sample);
      const matching = question(page, "matching");
      await matching.getByRole("button", { name: "создаёт проект", exact: true }).click();
      await matching.getByRole("button", { name: "Пара к «cargo new»: пусто" }).click();
      await matching.scrollIntoViewIfNeeded();
    },
  },
  {
    name: "quiz-open-questions",
    open: async (page, sample) => {
      await openQuiz(page, sample);
      await question(page, "single").getByLabel("mut").check();
      await page.getByRole("button", { name: "Отправить ответы" }).click();
      await scrollIntoView(page.getByText("Без ответа остал"));
    },
  },
  {
    name: "quiz-result",
    open: async (page, sample) => {
      await submitHalfCorrect(page, sample);
    },
  },
  {
    name: "quiz-result-answers",
    open: async (page, sample) => {
      await submitHalfCorrect(page, sample);
      await question(page, "multiple")
        .or(page.getByText("Какие из этих типов хранят целые числа?"))
        .last()
        .evaluate((element) => element.scrollIntoView({ block: "start" }));
    },
  },
  {
    name: "quiz-result-print",
    open: async (page, sample) => {
      await submitHalfCorrect(page, sample);
      await page.emulateMedia({ media: "print" });
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    },
  },
  {
    name: "quiz-offline",
    open: async (page, sample) => {
      await openQuiz(page, sample);
      await question(page, "single").getByLabel("mut").check();
      await page.context().setOffline(true);
      await page.getByRole("button", { name: "Отправить ответы" }).click();
      await page.getByRole("button", { name: "Всё равно отправить" }).click();
      await scrollIntoView(page.getByText("Нет сети. Ответы сохранены"));
    },
  },
  {
    name: "students-class",
    open: async (page, sample) => {
      const { teacher, courseId, students, enrollNewLearner } = await getClass(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=students`);
      await page.getByRole("table").waitFor();
      // The screen does not show when the subscription starts.
      await expect(async () => {
        await enrollNewLearner();
        await expect(page.getByText("новая запись на курс").first()).toBeVisible({ timeout: 2000 });
      }).toPass();
      await page.getByRole("link", { name: students[0].fullName }).first().waitFor();
    },
  },
  {
    name: "students-nothing-found",
    open: async (page, sample) => {
      const { teacher, courseId } = await getClass(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=students&search=Ломоносов`);
      await page.getByText("никого нет").waitFor();
    },
  },
  {
    name: "students-map-class",
    open: async (page, sample) => {
      const { teacher, courseId } = await getClass(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=students&view=map`);
      await page
        .getByText(/% баллов/)
        .first()
        .waitFor();
    },
  },
  {
    name: "students-map-questions",
    open: async (page, sample) => {
      const { teacher, courseId } = await getClass(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=students&view=map`);
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
    open: async (page, sample) => {
      await openStudent(page, sample);
      await scrollIntoView(page.getByRole("button", { name: "Попытка 1: 0 %" }).first());
    },
  },
  {
    name: "student-answers",
    open: async (page, sample) => {
      await openStudent(page, sample);
      await page.getByRole("button", { name: "Попытка 1: 0 %" }).first().click();
      await page.getByRole("dialog").getByText("Ответ ученика").first().waitFor();
    },
  },
  {
    name: "student-remove",
    open: async (page, sample) => {
      await openStudent(page, sample);
      await page.getByRole("button", { name: "Убрать из курса" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Убрать из курса" }).waitFor();
    },
  },
  {
    name: "edit-course-team",
    open: async (page, sample) => {
      const { teacher, courseId } = await getClass(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=settings`);
      await scrollIntoView(page.getByText(/приглашение действует до/).first());
    },
  },
  {
    name: "edit-course-new-code",
    open: async (page, sample) => {
      const { teacher, courseId } = await getClass(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=settings`);
      await page.getByRole("button", { name: "Создать новый код" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Создать новый код" }).waitFor();
    },
  },
  {
    name: "invitation-refused",
    viewer: "newcomer",
    open: async (page) => {
      await page.goto("/accept-invitation?token=not.a.token");
      await page.getByRole("heading", { name: "Приглашение не подошло" }).waitFor();
    },
  },
  {
    name: "edit-page-left-behind",
    open: async (page, sample) => {
      const account = await getAuthor(sample);
      const course = await createCourse(sample.server, account, "Гончарное дело", {
        Глина: { "Первая чашка": ["Как размять глину"] },
      });
      const id = await firstPage(sample, account, course);
      await openAs(page, account, "/");
      const context = page.context();
      const other = await context.newPage();
      await other.goto(`/edit-page/${id}`);
      await contentField(other).waitFor();
      await context.setOffline(true);
      await contentField(other).click();
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
    viewer: "learner",
    open: async (page) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("Control+k");
      await page.locator("dialog[open] [role=combobox]").fill("керамика и гончарное дело");
      await expect(page.getByText("Ничего не нашлось")).toBeVisible();
    },
  },
  {
    name: "admin-nobody-found",
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/admin?search=ломоносов");
      await page.getByText("ломоносов").first().waitFor();
    },
  },
  {
    name: "login-english",
    open: async (page) => {
      await page.goto("/login");
      await page.getByRole("button", { name: "English" }).click();
      await page.getByRole("button", { name: "Log in" }).waitFor();
    },
  },
  {
    name: "home-english",
    viewer: "learner",
    open: async (page) => {
      await page.goto("/");
      await page.evaluate(() => localStorage.setItem("language", "en"));
      await page.reload();
      await page.getByRole("heading", { name: "My courses" }).waitFor();
    },
  },
];

async function openStudent(page: Page, sample: SampleData): Promise<void> {
  const { teacher, courseId, students } = await getClass(sample);
  await openAs(page, teacher, `/edit-course/${courseId}?tab=students`);
  await page.getByRole("link", { name: students[0].fullName }).first().click();
  await page.getByRole("heading", { name: students[0].fullName }).waitFor();
  await page.getByRole("button", { name: /Переменные и типы/ }).click();
}

/** Opens the quiz with every kind of question as a new learner. */
async function openQuiz(page: Page, sample: SampleData): Promise<void> {
  const { courseId, teacher, everyKindId } = await getClass(sample);
  const query = "query ($id: ID!) { course(id: $id) { shareCode } }";
  const { course } = await graphql(sample.server.url, teacher.token, query, { id: courseId });
  const account = await signUp(sample.server, "Фёдорова Дарья Максимовна");
  await enroll(sample.server, account, course.shareCode);
  await openAs(page, account, `/view-page/${everyKindId}`);
  await page.getByRole("form", { name: "Тест" }).waitFor();
}

/** Answers about half of the questions correctly and submits. */
async function submitHalfCorrect(page: Page, sample: SampleData): Promise<void> {
  await openQuiz(page, sample);
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
