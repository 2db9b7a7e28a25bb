import type { Screen } from "../sample-data.ts";

/** The import and the students of a course. */
export const teaching: Screen[] = [
  {
    name: "import",
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/import");
      await page.getByRole("button", { name: "Выбрать файл" }).waitFor();
    },
  },
  {
    name: "import-preview",
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/import");
      const text =
        "::Сумма:: Сколько будет 2 + 2? {=4 ~5}\n\n::Доли:: Что из этого верно? {~%70%это ~%50%то ~иное}\n";
      const file = { name: "Вопросы.gift", mimeType: "text/plain", buffer: Buffer.from(text) };
      await page.getByLabel("Выбрать файл").last().setInputFiles(file);
      await page.getByText("доли баллов за отдельные ответы").waitFor();
    },
  },
  {
    name: "students",
    viewer: "superuser",
    open: async (page, { course, learner }) => {
      await page.goto(`/edit-course/${course.course_id}?tab=students`);
      await page.getByRole("link", { name: learner.fullName }).first().waitFor();
    },
  },
  {
    name: "students-none",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await page.goto(`/edit-course/${copy.courseId}?tab=students`);
      await page.getByRole("heading", { name: "Пока никто не записался" }).waitFor();
    },
  },
  {
    name: "student",
    viewer: "superuser",
    open: async (page, { course, learner }) => {
      await page.goto(`/edit-course/${course.course_id}?tab=students`);
      await page.getByRole("link", { name: learner.fullName }).first().click();
      await page.getByRole("heading", { name: learner.fullName }).waitFor();
    },
  },
  {
    name: "students-map",
    viewer: "superuser",
    open: async (page, { course }) => {
      await page.goto(`/edit-course/${course.course_id}?tab=students&view=map`);
      await page.getByRole("heading", { name: "Страница за страницей" }).waitFor();
      await page
        .getByRole("region", { name: "Самые трудные вопросы" })
        .getByText(/^Здесь появятся/)
        .waitFor();
    },
  },
  {
    name: "certificate-design",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await page.goto(`/edit-course/${copy.courseId}?tab=settings`);
      const section = page.getByRole("region", { name: "Сертификат", exact: true });
      await section.getByRole("figure").waitFor();
      await section.scrollIntoViewIfNeeded();
    },
  },
  {
    name: "certificates-none",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await page.goto(`/edit-course/${copy.courseId}?tab=students&view=certificates`);
      await page.getByRole("heading", { name: "Сертификатов пока никто не получил" }).waitFor();
    },
  },
  {
    name: "students-analysis",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await page.goto(`/edit-course/${copy.courseId}?tab=students&view=analysis&part=${copy.quizId}`);
      await page.getByRole("heading", { name: "Тест ещё никто не проходил" }).waitFor();
    },
  },
];
