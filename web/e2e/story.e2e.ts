import { afterEach, describe, expect, test } from "vitest";
import { demoBook, rustBook } from "../../scripts/books.mjs";
import { login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import { contents, eventually, field, pageLink, signIn, storedToken, waitForPage } from "./app.ts";
import { newTab, watchOperations, withBrowser } from "./browser.ts";
import { tree } from "./people.ts";

// The whole path, as one person goes it: a folder of Markdown becomes a course, a stranger becomes a learner, pages are
// read and a lesson completes. The real book is used where it is at hand, the course in demo/ where it is not.
const stories = [
  { database: "sqlite" as const, book: rustBook ?? demoBook },
  { database: "postgres" as const, book: demoBook },
];

withBrowser();

describe.each(stories)("the whole path on $database", ({ database, book }) => {
  let server: Server;
  afterEach(() => server?.stop());

  test("from a folder of Markdown to a completed lesson", { timeout: 180_000 }, async () => {
    server = await Server.start({ database });
    const course = await server.import(book, admin.email);
    if (book === rustBook) expect(course.counts).toMatchObject({ modules: 4, pages: 104 });

    // A stranger signs up and in.
    const { page } = await newTab(server);
    const account = { email: "anna@example.com", password: "очень-тайный-пароль" };
    await page.goto("/signup");
    await field(page, "Фамилия").fill("Иванова");
    await field(page, "Имя").fill("Анна");
    await field(page, "Отчество").fill("Петровна");
    await field(page, "Email").fill(account.email);
    await field(page, "Пароль").fill(account.password);
    await field(page, "Подтверждение пароля").fill(account.password);
    await page.getByRole("button", { name: "Зарегистрироваться" }).click();
    await page.waitForURL((url) => url.pathname === "/login");
    await signIn(page, account.email, account.password);
    await page.waitForURL(`${server.url}/`);
    const token = await storedToken(page);

    // A code that nobody gave out is refused in words; the right one is read however it is typed.
    const code = page.getByRole("textbox", { name: "Код курса" });
    await code.fill("0000-0000");
    await page.getByRole("button", { name: "Записаться" }).click();
    await page.getByText(/код/i).first().waitFor();
    const operations = watchOperations(page);
    await code.fill(` ${course.share_code.toLowerCase().replace("-", " ")} `);
    await page.getByRole("button", { name: "Записаться" }).click();
    await page.waitForURL((url) => url.pathname === `/view-course/${course.course_id}`);

    // The whole tree is there, from one question.
    const truth = await tree(server, token ?? "", course.course_id);
    const lessons = truth.modules.flatMap((module) => module.lessons);
    const pages = lessons.flatMap((lesson) => lesson.pages);
    expect(pages).toHaveLength(course.counts.pages);
    await page.locator(`a[href="/view-page/${pages[0]?.id}"]`).first().waitFor();
    for (const module of truth.modules) await page.getByText(module.title, { exact: true }).first().waitFor();
    const treeQueries = () => operations.filter((name) => name === "CourseTree").length;
    expect(treeQueries()).toBe(1);

    // Reading: the first page counts as read when its end was on screen.
    const [first, second, third] = pages;
    if (!first || !second || !third) throw new Error("the book is too short for this story");
    await page.locator(`a[href="/view-page/${first.id}"]`).first().click();
    await waitForPage(page, first.id);
    await page.getByRole("article").waitFor();
    await page.keyboard.press("End");
    const visited = async () => {
      const now = await tree(server, token ?? "", course.course_id);
      return now.modules.flatMap((module) =>
        module.lessons.flatMap((lesson) =>
          lesson.pages.filter((page) => page.isVisited).map((page) => page.id),
        ),
      );
    };
    await eventually(visited, [first.id], "the first page is read by scrolling");
    await expectRead(first.id);

    // «Дальше» counts the page it leaves as read, the arrows do too, and the way back counts nothing.
    await page.getByRole("link", { name: "Дальше" }).click();
    await waitForPage(page, second.id);
    await page.keyboard.press("ArrowRight");
    await waitForPage(page, third.id);
    await page.keyboard.press("ArrowLeft");
    await waitForPage(page, second.id);

    // A lesson completes in front of the reader.
    const lesson = lessons.find(
      (lesson) => lesson.pages.length > 1 && !lesson.pages.some((page) => page.id === first.id),
    );
    if (!lesson) throw new Error("the book has no lesson of two pages");
    await openLesson(lesson.title);
    for (const { id } of lesson.pages) {
      await pageLink(page, id).click();
      await waitForPage(page, id);
      await page.getByRole("article").waitFor();
      await page.keyboard.press("End");
      await expectRead(id);
    }
    await contents(page)
      .getByText(/пройден/i)
      .first()
      .waitFor();
    await eventually(
      async () => {
        const now = await tree(server, token ?? "", course.course_id);
        return now.modules.flatMap((module) =>
          module.lessons.filter((one) => one.isCompleted).map((one) => one.title),
        );
      },
      expect.arrayContaining([lesson.title]),
      "the lesson is completed on the server",
    );
    expect(treeQueries(), "the tree is never asked for again").toBe(1);

    // Home knows where to go on.
    await page.getByRole("link", { name: "Мои курсы" }).first().click();
    await page.waitForURL(`${server.url}/`);
    const now = await tree(server, token ?? "", course.course_id);
    await page.getByText(`${now.progress.percent} %`).first().waitFor();
    const unread = now.modules
      .flatMap((module) => module.lessons.flatMap((one) => one.pages))
      .find((one) => !one.isVisited);
    await page.getByRole("link", { name: "Продолжить" }).click();
    await waitForPage(page, unread?.id ?? "");

    // What was read is still read for who signs in elsewhere.
    const elsewhere = await newTab(server, {
      token: await login(server.url, account.email, account.password),
    });
    await elsewhere.page.goto(`/view-page/${first.id}`);
    await pageLink(elsewhere.page, first.id).waitFor();

    async function expectRead(id: string): Promise<void> {
      await pageLink(page, id).getByText("Прочитано").waitFor();
    }
    async function openLesson(title: string): Promise<void> {
      const button = contents(page).getByRole("button", { name: title });
      if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
    }
  });
});
