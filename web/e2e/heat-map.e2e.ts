import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql, post } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { makeCourse } from "./authoring.ts";
import {
  expectAccessible,
  expectFineEverywhere,
  expectNoSidewaysScroll,
  resize,
  signedIn,
  type sizes,
  watchOperations,
  withBrowser,
} from "./browser.ts";
import { enroll, person } from "./people.ts";
import { type Classroom, classroom, ids } from "./quizzes.ts";

let server: Server;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
});
afterAll(() => server?.stop());

/** A class of four: two stopped at the quiz, one at the first page, one has not begun. */
async function halfway(): Promise<Classroom> {
  const room = await classroom(server);
  const query = "query ($id: ID!) { course(id: $id) { shareCode } }";
  const { course } = await graphql(server.url, room.owner.token, query, { id: room.courseId });
  const others = [];
  for (const name of ["Борисов Борис Борисович", "Ёлкина Ольга Петровна", "Яшина Яна Ильинична"]) {
    const one = await person(server, name);
    await enroll(server, one, course.shareCode);
    others.push(one);
  }
  const [boris, olga] = others;
  const call = (who: { token: string } | undefined, path: string, body: object = {}) =>
    post(server.url, `/api/v1/courses/${path}`, body, who?.token ?? "");
  for (const who of [room.learner, boris, olga]) await call(who, `mark_page_visited/${room.pages[0]}`);
  const words = { [room.learner.token]: "Cargo", [boris?.token ?? ""]: "Карго" };
  for (const who of [room.learner, boris]) {
    const answers = [{ question_id: ids.text, text: words[who?.token ?? ""] }];
    await call(who, `submit_quiz/${room.quizId}`, { answers });
  }
  return room;
}

async function openMap({ owner, courseId }: Classroom, size: keyof typeof sizes = "desk") {
  const tab = await signedIn(server, owner, { size });
  await tab.page.goto(`/edit-course/${courseId}?tab=students&view=map`);
  return tab;
}

const row = (page: Page, name: RegExp) => page.getByRole("row", { name });
const cells = (page: Page, name: RegExp) => row(page, name).getByRole("cell").allInnerTexts();
const tidy = (texts: string[]) => texts.map((text) => text.replace(/\s+/g, " ").trim());

describe("the map of a course", () => {
  test("says what to do while nobody learns it, and while there is nothing to learn", async () => {
    const room = await classroom(server);
    const id = await makeCourse(server, room.owner, "Пустой курс");
    const { page } = await signedIn(server, room.owner);
    await page.goto(`/edit-course/${id}?tab=students&view=map`);
    await page.getByRole("heading", { name: "Пока никто не записался" }).waitFor();
    const { share_code } = await post(
      server.url,
      `/api/v1/courses/generate_share_code/${id}`,
      {},
      room.owner.token,
    );
    await enroll(server, room.learner, share_code);
    await page.reload();
    await page.getByRole("heading", { name: "В курсе нет опубликованных страниц" }).waitFor();
    await page.getByRole("link", { name: "Открыть содержание" }).click();
    await page.waitForURL(`${server.url}/edit-course/${id}`);
  });

  test("shows where students stopped and what they find hard", async () => {
    const room = await halfway();
    const { page } = await openMap(room);
    await page.getByRole("heading", { name: "Страница за страницей" }).waitFor();
    const facts = page.getByRole("definition");
    expect(tidy(await facts.allInnerTexts())).toEqual(["4", "0", "3", "1"]);
    expect(tidy(await page.getByRole("term").allInnerTexts())).toEqual([
      "записались",
      "прошли курс",
      "остановились в пути",
      "не начинал",
    ]);
    expect(tidy(await cells(page, /^Переменные/))).toEqual(["3 75 %", "1 25 %"]);
    expect(tidy(await cells(page, /^Проверьте себя/))).toEqual(["2 50 %", "2 50 %"]);
    expect(tidy(await cells(page, /^Что дальше/))).toEqual(["0 0 %", "0"]);
    await row(page, /^Проверьте себя/)
      .getByText(/сдали\s0\s%\s— проходили\s2\sученика/)
      .waitFor();
    const worst = page.getByRole("region", { name: "Где останавливаются чаще всего" }).getByRole("listitem");
    expect(tidy(await worst.allInnerTexts())).toEqual([
      "Проверьте себя 2 ученика, 50 %",
      "Переменные 1 ученик, 25 %",
    ]);
    const hardest = page.getByRole("region", { name: "Самые трудные вопросы" }).getByRole("listitem");
    await hardest.first().waitFor();
    const questions = tidy(await hardest.allInnerTexts());
    expect(questions).toHaveLength(7);
    // Whom half of them answered comes after what nobody did.
    expect(questions.at(-1)).toMatch(
      /^Как называется менеджер пакетов .* «Проверьте себя», вопрос 3 В среднем 50 % баллов, 2 ответа$/,
    );
    // The question with blanks says its text.
    expect(questions.some((text) => text.startsWith("У каждого значения есть"))).toBe(true);
  });

  test("has an address of its own, and the list keeps its search", async () => {
    const room = await halfway();
    const { page } = await signedIn(server, room.owner);
    const asked = watchOperations(page);
    await page.goto(`/edit-course/${room.courseId}?tab=students&order=-percent`);
    await page.getByRole("table").waitFor();
    expect(asked).not.toContain("CourseHeatMap");
    const views = page.getByRole("navigation", { name: "Что показать" });
    // By the keyboard alone.
    await views.getByRole("link", { name: "Список" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Страница за страницей" }).waitFor();
    expect(new URL(page.url()).search).toBe("?tab=students&order=-percent&view=map");
    expect(await views.getByRole("link", { name: "Карта курса" }).getAttribute("aria-current")).toBe("page");
    expect(await page.locator("main nav a[aria-current]").allInnerTexts()).toEqual([
      "Ученики",
      "Карта курса",
    ]);
    await page.reload();
    await page.getByRole("heading", { name: "Страница за страницей" }).waitFor();
    await views.getByRole("link", { name: "Список" }).click();
    await page.getByRole("columnheader", { name: "Пройдено" }).waitFor();
    expect(new URL(page.url()).search).toBe("?tab=students&order=-percent");
  });

  test("says what went wrong, and can be asked again", async () => {
    const room = await halfway();
    const { page } = await signedIn(server, room.owner);
    let broken = true;
    await page.route("**/graphql", (route) =>
      broken && /HeatMap|Hardest/.test(route.request().postDataJSON()?.operationName)
        ? route.abort()
        : route.continue(),
    );
    await page.goto(`/edit-course/${room.courseId}?tab=students&view=map`);
    const again = page.getByRole("button", { name: "Повторить" }).first();
    await again.waitFor();
    await expectAccessible(page, "a map that could not be loaded");
    broken = false;
    await again.click();
    await page.getByRole("heading", { name: "Страница за страницей" }).waitFor();
  });

  test("speaks English too", async () => {
    const room = await halfway();
    const { page } = await openMap(room);
    await page.getByRole("heading", { name: "Страница за страницей" }).waitFor();
    await page.evaluate(() => localStorage.setItem("language", "en"));
    await page.reload();
    await page.getByRole("heading", { name: "Page by page" }).waitFor();
    await page.getByText("0% passed — taken by 2 students").waitFor();
  });
});

test("the map is accessible and fits at every size, in both themes", async () => {
  const { page } = await openMap(await halfway(), "phone");
  await page.getByRole("heading", { name: "Страница за страницей" }).waitFor();
  await page.getByText(/В\sсреднем\s50\s% баллов/).waitFor();
  await expectFineEverywhere(page, "the map");
  await resize(page, { width: 360, height: 740 });
  await expectNoSidewaysScroll(page, "the map on a narrow phone");
});
