import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import { expectAccessible, expectAccessibleEverywhere } from "./accessibility.ts";
import { createCourse, enroll, signUp, visit } from "./api.ts";
import { type Classroom, createClassroom, ids } from "./classroom.ts";
import { test as base, expect, type Tab, type ViewportName } from "./fixtures.ts";

/** Creates a course with four learners. The name of one is a spreadsheet formula. */
async function createClass(server: Server): Promise<Classroom> {
  const classroom = await createClassroom(server);
  for (const name of ["Борисов Борис Борисович", "Ёлкина Ольга Петровна", "=HYPERLINK(1)"]) {
    await enroll(server, await signUp(server, name), classroom.shareCode);
  }
  return classroom;
}

interface Fixtures {
  /** Opens the students of a course as its owner. */
  openStudents: (classroom: Classroom, viewport?: ViewportName) => Promise<Tab>;
}

const test = base.extend<Fixtures>({
  openStudents: async ({ tabFor }, use) => {
    await use(async ({ owner, courseId }, viewport = "desktop") => {
      const tab = await tabFor(owner, { viewport });
      await tab.page.goto(`/edit-course/${courseId}?tab=students`);
      return tab;
    });
  },
});

function names(page: Page): Promise<string[]> {
  return page.getByRole("table").getByRole("rowheader").getByRole("link").allInnerTexts();
}

test.describe("student list", () => {
  test("explains an empty list", async ({ server, tabFor }) => {
    const classroom = await createClassroom(server);
    const id = await createCourse(server, classroom.owner, "Пустой курс");
    const { page } = await tabFor(classroom.owner);
    await page.goto(`/edit-course/${id}`);
    await page.getByRole("link", { name: "Ученики" }).click();
    await expect(page.getByRole("heading", { name: "Пока никто не записался" })).toBeVisible();
    await page.getByRole("link", { name: "Открыть код и ссылку" }).click();
    await expect(page.getByRole("heading", { name: "Доступ для учеников" })).toBeVisible();
  });

  test("is sorted, and keeps the order in the address", async ({ server, openStudents }) => {
    const classroom = await createClass(server);
    await visit(server, classroom.learner, classroom.pages[0]);
    const { page } = await openStudents(classroom);
    const all = [
      "=HYPERLINK(1)",
      "Борисов Борис Борисович",
      "Ёлкина Ольга Петровна",
      classroom.learner.fullName,
    ];
    await expect.poll(() => names(page), "by name").toEqual(all);
    await page.getByRole("button", { name: "Пройдено" }).click();
    await expect
      .poll(async () => (await names(page))[0], "the learner with the most progress")
      .toEqual(classroom.learner.fullName);
    await expect(page.getByRole("columnheader", { name: "Пройдено" })).toHaveAttribute(
      "aria-sort",
      "descending",
    );
    await page.getByRole("button", { name: "Имя" }).click();
    await page.getByRole("button", { name: "Имя" }).click();
    await expect.poll(() => names(page), "by name, descending").toEqual(all.toReversed());
    await page.reload();
    await expect.poll(() => names(page), "the same after a reload").toEqual(all.toReversed());
  });

  test("is exported as CSV with scores, local times and no formulas, for each spreadsheet program", async ({
    server,
    openStudents,
  }) => {
    const classroom = await createClass(server);
    const { page } = await openStudents(classroom);
    const save = async (form: string) => {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Скачать CSV" }).click();
      await page.getByRole("menuitem", { name: form }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe("Основы Rust.csv");
      return (await readFile(await file.path(), "utf8")).split("\r\n");
    };
    const [withCommas] = await save("через запятую");
    expect(withCommas).toMatch(/^\uFEFFИмя,Email,"Пройдено, %",/);
    const lines = await save("для Excel");
    expect(lines[0]).toBe(
      '\uFEFFИмя;Email;"Пройдено, %";Страниц пройдено;Страниц всего;Запись на курс;Последняя активность;Курс пройден;"Первые шаги / Проверьте себя, %"',
    );
    expect(lines[1]).toMatch(/;\d{4}-\d\d-\d\d \d\d:\d\d;/);
    expect(lines.slice(1, 5).map((line) => line.split(";")[0])).toEqual([
      "'=HYPERLINK(1)",
      "Борисов Борис Борисович",
      "Ёлкина Ольга Петровна",
      classroom.learner.fullName,
    ]);
  });

  test("shows the activity of students live", async ({ server, openStudents }) => {
    const classroom = await createClassroom(server);
    const { page } = await openStudents(classroom);
    const live = page.getByRole("region", { name: "Прямо сейчас" });
    // The learner enrolled before the screen opened.
    await expect(live.getByText("недавно на курсе")).toBeVisible();
    await expect(page.getByRole("progressbar", { name: /Пройдено/ })).toBeVisible();
    // The screen does not show when the subscription starts, so learners enroll until one is reported.
    await expect
      .poll(
        async () => {
          await visit(server, classroom.learner, classroom.pages[0]);
          const newcomer = await signUp(server, "Новикова Нина Ивановна");
          await enroll(server, newcomer, classroom.shareCode);
          return live.getByText("новая запись на курс").count();
        },
        { timeout: 15_000, intervals: [1000] },
      )
      .toBeGreaterThan(0);
    await visit(server, classroom.learner, classroom.pages[2]);
    await expect(live.getByText("прочитано: «Что дальше»")).toBeVisible();
    await expect(
      page.getByRole("row", { name: new RegExp(classroom.learner.fullName) }).getByText("66 %"),
    ).toBeVisible();
  });
});

test.describe("one student", () => {
  test("shows visits and answers, resets attempts, and removes the student", async ({
    server,
    openStudents,
  }) => {
    const classroom = await createClassroom(server);
    await visit(server, classroom.learner, classroom.pages[0]);
    const quizAnswers = [{ question_id: ids.text, text: "Карго" }];
    await post(
      server.url,
      `/api/v1/courses/submit_quiz/${classroom.quizId}`,
      { answers: quizAnswers },
      classroom.learner.token,
    );
    const { page } = await openStudents(classroom);
    await page.getByRole("link", { name: classroom.learner.fullName }).first().click();
    await expect(page.getByRole("heading", { name: classroom.learner.fullName })).toBeVisible();
    await expect(page.getByText("1 из 3 страниц").first()).toBeVisible();

    await page.getByRole("button", { name: /^Попытка 1/ }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Ответ ученика").first()).toBeVisible();
    await expect(dialog.getByText("Карго")).toBeVisible();
    await expect(dialog.getByText("Cargo", { exact: true })).toBeVisible();
    await expectAccessible(page, "the answers of an attempt");
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Сбросить попытки" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Сбросить попытки" }).click();
    await expect(page.getByRole("button", { name: /^Попытка 1/ })).toHaveCount(0);

    await page.getByRole("button", { name: "Убрать из курса" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Убрать из курса" }).click();
    await expect(page.getByRole("heading", { name: "Пока никто не записался" })).toBeVisible();
  });

  test("shows an error with a way back for an unknown student", async ({ server, tabFor }) => {
    const classroom = await createClassroom(server);
    const { page } = await tabFor(classroom.owner);
    await page.goto(
      `/edit-course/${classroom.courseId}?tab=students&student=01900000-0000-7000-8000-000000000000`,
    );
    await expect(page.getByText("Такого ученика в курсе нет")).toBeVisible();
    await page.getByRole("button", { name: "Все ученики" }).click();
    await expect(page.getByRole("table")).toBeVisible();
  });
});

test("the student list and the student are accessible and fit at every size, in both themes", async ({
  server,
  openStudents,
}) => {
  const classroom = await createClass(server);
  await visit(server, classroom.learner, classroom.pages[0]);
  const { page } = await openStudents(classroom, "phone");
  await expect(page.getByRole("table")).toBeVisible();
  await expectAccessibleEverywhere(page, "the student list");
  await page.getByRole("link", { name: classroom.learner.fullName }).first().click();
  await expect(page.getByRole("heading", { name: classroom.learner.fullName })).toBeVisible();
  await expectAccessibleEverywhere(page, "a student");
});
