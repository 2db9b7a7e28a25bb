import type { Screen } from "../stage.ts";

/** What those who teach see of their class. */
export const teaching: Screen[] = [
  {
    name: "students",
    who: "superuser",
    show: async (page, { course, learner }) => {
      await page.goto(`/edit-course/${course.course_id}?tab=students`);
      await page.getByRole("link", { name: learner.fullName }).waitFor();
    },
  },
  {
    name: "students-none",
    who: "superuser",
    show: async (page, { written }) => {
      await page.goto(`/edit-course/${written.courseId}?tab=students`);
      await page.getByRole("heading", { name: "Пока никто не записался" }).waitFor();
    },
  },
  {
    name: "student",
    who: "superuser",
    show: async (page, { course, learner }) => {
      await page.goto(`/edit-course/${course.course_id}?tab=students`);
      await page.getByRole("link", { name: learner.fullName }).click();
      await page.getByRole("heading", { name: learner.fullName }).waitFor();
    },
  },
  {
    name: "students-map",
    who: "superuser",
    show: async (page, { course }) => {
      await page.goto(`/edit-course/${course.course_id}?tab=students&view=map`);
      await page.getByRole("heading", { name: "Страница за страницей" }).waitFor();
      await page
        .getByRole("region", { name: "Самые трудные вопросы" })
        .getByText(/^Здесь появятся/)
        .waitFor();
    },
  },
];
