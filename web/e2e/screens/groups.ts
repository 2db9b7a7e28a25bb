import { createCourse } from "../api.ts";
import type { Screen } from "../sample-data.ts";
import { getAuthor, getGroups, openAs } from "./class.ts";

/** The groups of a class. */
export const groups: Screen[] = [
  {
    name: "students-groups",
    open: async (page, sample) => {
      const { teacher, courseId } = await getGroups(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=students&view=groups`);
      await page.getByRole("heading", { name: "Вечерняя группа" }).waitFor();
    },
  },
  {
    name: "students-groups-none",
    open: async (page, sample) => {
      const author = await getAuthor(sample);
      const courseId = await createCourse(sample.server, author, "Офорт");
      await openAs(page, author, `/edit-course/${courseId}?tab=students&view=groups`);
      await page.getByRole("heading", { name: "Групп пока нет" }).waitFor();
    },
  },
  {
    name: "students-groups-emails",
    open: async (page, sample) => {
      const { teacher, courseId, students } = await getGroups(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=students&view=groups`);
      await page.getByRole("button", { name: "Действия с группой «Вечерняя группа»" }).click();
      await page.getByRole("menuitem", { name: "Добавить по списку email…" }).click();
      const emails = [students[0].email, students[1]?.email, "nobody@example.com"].join("\n");
      await page.getByLabel("Адреса учеников").fill(emails);
      await page.getByRole("button", { name: "Проверить" }).click();
      await page.getByText("nobody@example.com", { exact: true }).waitFor();
    },
  },
  {
    name: "students-of-a-group",
    open: async (page, sample) => {
      const { teacher, courseId, groupId, students } = await getGroups(sample);
      await openAs(page, teacher, `/edit-course/${courseId}?tab=students&group=${groupId}`);
      await page.getByLabel(`Выбрать: ${students[0].fullName}`).check();
    },
  },
];
