import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleEverywhere, resize } from "./accessibility.ts";
import { type Classroom, createClassroom } from "./classroom.ts";
import { test as base, expect, type Tab } from "./fixtures.ts";
import { createTakenQuiz } from "./taken-quiz.ts";

interface Fixtures {
  openMap: (classroom: Classroom) => Promise<Tab>;
}

const test = base.extend<Fixtures>({
  openMap: async ({ tabFor }, use) => {
    await use(async ({ owner, courseId }) => {
      const tab = await tabFor(owner, { viewport: "desktop" });
      await tab.page.goto(`/edit-course/${courseId}?tab=students&view=map`);
      return tab;
    });
  },
});

const plain = (text: string) => text.replaceAll("\u00ad", "").replace(/\s+/g, " ").trim();
const rowOf = (page: Page, question: string) =>
  page.getByRole("table", { name: "Вопросы" }).getByRole("row", { name: question });

test.describe("quiz analysis", () => {
  test("opens from the course map, flags a wrong key, and leads to the question", async ({
    server,
    openMap,
  }) => {
    test.slow(); // twelve accounts
    const classroom = await createTakenQuiz(server);
    const { page } = await openMap(classroom);
    await page
      .getByRole("row", { name: /^Проверьте себя/ })
      .getByRole("link", { name: "Анализ теста" })
      .click();
    await expect(page.getByRole("heading", { name: "Анализ теста «Проверьте себя»" })).toBeVisible();
    await expect(page).toHaveURL(({ searchParams }) => searchParams.get("part") === classroom.quizId);
    await expect(page.getByLabel("Показатели теста").getByText("12", { exact: true })).toBeVisible();
    const choice = rowOf(page, "Какое ключевое слово");
    await expect(choice.getByText("Проверьте ключ: сильные отвечают хуже слабых")).toBeVisible();
    await expect(choice.getByText("Есть вариант, который никто не выбрал")).toBeVisible();
    expect((await choice.getByRole("cell").allInnerTexts()).map(plain)[0]).toBe("58 %");

    await page.getByRole("button", { name: "Ответы на вопрос 1" }).press("Enter");
    const answers = page.getByRole("row").filter({ hasText: "Выбранные варианты" }).getByRole("listitem");
    expect((await answers.allInnerTexts()).map(plain)).toEqual([
      "let 1 (8 %)",
      "mut верный 7 (58 %)",
      "var 4 (33 %)",
      "const 0 (0 %)",
    ]);
    await page.getByRole("button", { name: "Ответы на вопрос 3" }).click();
    const wrong = page.getByRole("row").filter({ hasText: "Частые неверные ответы" }).getByRole("listitem");
    expect((await wrong.allInnerTexts()).map(plain)).toEqual(["npm 4 (33 %)"]);
    await page.getByText("Что значат эти числа").click();
    await page.getByText("Показать числами").click();
    await expectAccessibleEverywhere(page, "the analysis of a quiz");
    await resize(page, { width: 360, height: 800 });
    await expectAccessible(page, "the analysis of a quiz at 360 px");

    await page.getByRole("button", { name: "Дискриминация" }).press("Enter");
    const first = page.getByRole("table", { name: "Вопросы" }).getByRole("rowheader").first();
    await expect(first).toContainText("Какое ключевое слово");
    await page.getByRole("link", { name: /^Вопрос 1: лёгкость 58\s%/ }).press("Enter");
    await page.waitForURL(`${server.url}/edit-page/${classroom.quizId}#question-1`);
    await expect(page.getByRole("button", { name: /^1\./ })).toHaveAttribute("aria-expanded", "true");
    await page.getByRole("link", { name: "Анализ теста" }).click();
    await expect(page.getByRole("heading", { name: "Анализ теста «Проверьте себя»" })).toBeVisible();
  });

  test("says when there are no attempts, and how to retry a failed load", async ({ server, tabFor }) => {
    const classroom = await createClassroom(server);
    const { page } = await tabFor(classroom.owner);
    let broken = true;
    await page.route("**/graphql", (route) =>
      broken && route.request().postDataJSON()?.operationName === "QuizAnalysis"
        ? route.abort()
        : route.continue(),
    );
    const address = `/edit-course/${classroom.courseId}?tab=students&view=analysis&part=${classroom.quizId}`;
    await page.goto(address);
    const again = page.getByRole("button", { name: "Повторить" }).first();
    await expect(again).toBeVisible();
    await expectAccessible(page, "an analysis that failed to load");
    broken = false;
    await again.click();
    await expect(page.getByRole("heading", { name: "Тест ещё никто не проходил" })).toBeVisible();
    await expectAccessibleEverywhere(page, "an analysis without attempts");
    await page.getByRole("link", { name: "Карта курса" }).last().click();
    await expect(page.getByRole("heading", { name: "Страница за страницей" })).toBeVisible();
  });
});
