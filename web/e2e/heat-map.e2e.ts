import type { Page } from "@playwright/test";
import { graphql, post } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import {
  expectAccessible,
  expectAccessibleEverywhere,
  expectNoHorizontalScroll,
  resize,
} from "./accessibility.ts";
import { createCourse, enroll, signUp } from "./api.ts";
import { type Classroom, createClassroom, ids } from "./classroom.ts";
import { test as base, expect, recordOperations, type Tab, type ViewportName } from "./fixtures.ts";

/** Creates a course with four learners: two stopped at the quiz, one at the first page, and one has not begun. */
async function createClassWithProgress(server: Server): Promise<Classroom> {
  const classroom = await createClassroom(server);
  const query = "query ($id: ID!) { course(id: $id) { shareCode } }";
  const { course } = await graphql(server.url, classroom.owner.token, query, { id: classroom.courseId });
  const others = [];
  for (const name of ["Борисов Борис Борисович", "Ёлкина Ольга Петровна", "Яшина Яна Ильинична"]) {
    const one = await signUp(server, name);
    await enroll(server, one, course.shareCode);
    others.push(one);
  }
  const [boris, olga] = others;
  const call = (account: { token: string } | undefined, path: string, body: object = {}) =>
    post(server.url, `/api/v1/courses/${path}`, body, account?.token ?? "");
  for (const account of [classroom.learner, boris, olga])
    await call(account, `mark_page_visited/${classroom.pages[0]}`);
  const texts = { [classroom.learner.token]: "Cargo", [boris?.token ?? ""]: "Карго" };
  for (const account of [classroom.learner, boris]) {
    const answers = [{ question_id: ids.text, text: texts[account?.token ?? ""] }];
    await call(account, `submit_quiz/${classroom.quizId}`, { answers });
  }
  return classroom;
}

interface Fixtures {
  openMap: (classroom: Classroom, viewport?: ViewportName) => Promise<Tab>;
}

const test = base.extend<Fixtures>({
  openMap: async ({ tabFor }, use) => {
    await use(async ({ owner, courseId }, viewport = "desktop") => {
      const tab = await tabFor(owner, { viewport });
      await tab.page.goto(`/edit-course/${courseId}?tab=students&view=map`);
      return tab;
    });
  },
});

const row = (page: Page, name: RegExp) => page.getByRole("row", { name });
const cells = (page: Page, name: RegExp) => row(page, name).getByRole("cell").allInnerTexts();
const normalizeSpaces = (texts: string[]) => texts.map((text) => text.replace(/\s+/g, " ").trim());

test.describe("course map", () => {
  test("explains an empty map: no students, or no published pages", async ({ server, tabFor }) => {
    const classroom = await createClassroom(server);
    const id = await createCourse(server, classroom.owner, "Пустой курс");
    const { page } = await tabFor(classroom.owner);
    await page.goto(`/edit-course/${id}?tab=students&view=map`);
    await expect(page.getByRole("heading", { name: "Пока никто не записался" })).toBeVisible();
    const { share_code } = await post(
      server.url,
      `/api/v1/courses/generate_share_code/${id}`,
      {},
      classroom.owner.token,
    );
    await enroll(server, classroom.learner, share_code);
    await page.reload();
    await expect(page.getByRole("heading", { name: "В курсе нет опубликованных страниц" })).toBeVisible();
    await page.getByRole("link", { name: "Открыть содержание" }).click();
    await page.waitForURL(`${server.url}/edit-course/${id}`);
  });

  test("shows the pages where students stopped and the hardest questions", async ({ server, openMap }) => {
    const classroom = await createClassWithProgress(server);
    const { page } = await openMap(classroom);
    await expect(page.getByRole("heading", { name: "Страница за страницей" })).toBeVisible();
    const facts = page.getByRole("definition");
    expect(normalizeSpaces(await facts.allInnerTexts())).toEqual(["4", "0", "3", "1"]);
    expect(normalizeSpaces(await page.getByRole("term").allInnerTexts())).toEqual([
      "записались",
      "прошли курс",
      "остановились в пути",
      "не начинал",
    ]);
    expect(normalizeSpaces(await cells(page, /^Переменные/))).toEqual(["3 75 %", "1 25 %"]);
    expect(normalizeSpaces(await cells(page, /^Проверьте себя/))).toEqual(["2 50 %", "2 50 %"]);
    expect(normalizeSpaces(await cells(page, /^Что дальше/))).toEqual(["0 0 %", "0"]);
    await expect(
      row(page, /^Проверьте себя/).getByText(/сдали\s0\s%\s— проходили\s2\sученика/),
    ).toBeVisible();
    const worst = page.getByRole("region", { name: "Где останавливаются чаще всего" }).getByRole("listitem");
    expect(normalizeSpaces(await worst.allInnerTexts())).toEqual([
      "Проверьте себя 2 ученика, 50 %",
      "Переменные 1 ученик, 25 %",
    ]);
    const hardest = page.getByRole("region", { name: "Самые трудные вопросы" }).getByRole("listitem");
    await expect(hardest.first()).toBeVisible();
    const questions = normalizeSpaces(await hardest.allInnerTexts());
    expect(questions).toHaveLength(7);
    // A question that half of the learners answered comes after questions without a correct answer.
    expect(questions.at(-1)).toMatch(
      /^Как называется менеджер пакетов .* «Проверьте себя», вопрос 3 В среднем 50 % баллов, 2 ответа$/,
    );
    // A question with blanks is listed by its text.
    expect(questions.some((text) => text.startsWith("У каждого значения есть"))).toBe(true);
  });

  test("keeps the view and the list's sort order in the address", async ({ server, tabFor }) => {
    const classroom = await createClassWithProgress(server);
    const { page } = await tabFor(classroom.owner);
    const operations = recordOperations(page);
    await page.goto(`/edit-course/${classroom.courseId}?tab=students&order=-percent`);
    await expect(page.getByRole("table")).toBeVisible();
    expect(operations).not.toContain("CourseHeatMap");
    const views = page.getByRole("navigation", { name: "Что показать" });
    // Switch the view with the keyboard.
    await views.getByRole("link", { name: "Список" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Страница за страницей" })).toBeVisible();
    await expect(page).toHaveURL(({ search }) => search === "?tab=students&order=-percent&view=map");
    await expect(views.getByRole("link", { name: "Карта курса" })).toHaveAttribute("aria-current", "page");
    await expect(page.locator("main nav a[aria-current]")).toHaveText(["Ученики", "Карта курса"]);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Страница за страницей" })).toBeVisible();
    await views.getByRole("link", { name: "Список" }).click();
    await expect(page.getByRole("columnheader", { name: "Пройдено" })).toBeVisible();
    await expect(page).toHaveURL(({ search }) => search === "?tab=students&order=-percent");
  });

  test("shows a load failure with a retry button", async ({ server, tabFor }) => {
    const classroom = await createClassWithProgress(server);
    const { page } = await tabFor(classroom.owner);
    let broken = true;
    await page.route("**/graphql", (route) =>
      broken && /HeatMap|Hardest/.test(route.request().postDataJSON()?.operationName)
        ? route.abort()
        : route.continue(),
    );
    await page.goto(`/edit-course/${classroom.courseId}?tab=students&view=map`);
    const again = page.getByRole("button", { name: "Повторить" }).first();
    await expect(again).toBeVisible();
    await expectAccessible(page, "a map that failed to load");
    broken = false;
    await again.click();
    await expect(page.getByRole("heading", { name: "Страница за страницей" })).toBeVisible();
  });

  test("is translated into English", async ({ server, openMap }) => {
    const classroom = await createClassWithProgress(server);
    const { page } = await openMap(classroom);
    await expect(page.getByRole("heading", { name: "Страница за страницей" })).toBeVisible();
    await page.evaluate(() => localStorage.setItem("language", "en"));
    await page.reload();
    await expect(page.getByRole("heading", { name: "Page by page" })).toBeVisible();
    await expect(page.getByText("0% passed — taken by 2 students")).toBeVisible();
  });
});

test("the course map is accessible and fits at every size, in both themes", async ({ server, openMap }) => {
  const { page } = await openMap(await createClassWithProgress(server), "phone");
  await expect(page.getByRole("heading", { name: "Страница за страницей" })).toBeVisible();
  await expect(page.getByText(/В\sсреднем\s50\s% баллов/)).toBeVisible();
  await expectAccessibleEverywhere(page, "the map");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "the map on a narrow phone");
});
