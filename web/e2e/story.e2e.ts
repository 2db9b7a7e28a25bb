import { afterEach, describe, expect, test } from "vitest";
import { demoBook, rustBook } from "../../scripts/books.mjs";
import { login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import {
  contents,
  eventually,
  field,
  lessonButton,
  openLesson,
  pageLink,
  readToTheEnd,
  signIn,
  storedToken,
  waitForPage,
  waitUntilRead,
} from "./app.ts";
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
    if (book === rustBook) expect(course.counts).toMatchObject({ pages: 104, files: 17 });

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
    const code = field(page, "Код курса");
    await code.fill("0000-0000");
    await page.getByRole("button", { name: "Записаться" }).click();
    await expect.poll(() => code.getAttribute("aria-invalid")).toBe("true");
    const operations = watchOperations(page);
    await code.fill(` ${course.share_code.toLowerCase().replace("-", " ")} `);
    await page.getByRole("button", { name: "Записаться" }).click();
    await page.waitForURL((url) => url.pathname === `/view-course/${course.course_id}`);

    // The whole tree is there, from one question.
    const truth = await tree(server, token ?? "", course.course_id);
    const lessons = truth.modules.flatMap((module) => module.lessons);
    const pages = lessons.flatMap((lesson) => lesson.pages);
    expect(pages).toHaveLength(course.counts.pages);
    for (const module of truth.modules)
      await page.getByRole("heading", { name: module.title, exact: true }).waitFor();
    if ((await page.getByRole("button", { name: "Развернуть всё" }).count()) > 0) {
      await page.getByRole("button", { name: "Развернуть всё" }).click();
    }
    const outline = page.getByRole("main").locator('li a[href^="/view-page/"]');
    expect(await outline.count()).toBe(course.counts.pages);
    // One question brought all of it, and nothing below asks again.
    const treeQueries = () => operations.filter((name) => name === "CourseTree" || name === "PageCourse");
    expect(treeQueries()).toEqual(["CourseTree"]);

    // Reading: the first page counts as read when its end was on screen.
    const [first, second, third] = pages;
    if (!first || !second || !third) throw new Error("the book is too short for this story");
    await outline.first().click();
    await waitForPage(page, first.id);
    await readToTheEnd(page);
    const visited = async () => {
      const now = await tree(server, token ?? "", course.course_id);
      return now.modules.flatMap((module) =>
        module.lessons.flatMap((lesson) =>
          lesson.pages.filter((page) => page.isVisited).map((page) => page.id),
        ),
      );
    };
    await eventually(visited, [first.id], "the first page is read by scrolling");
    await waitUntilRead(page, first.id);

    // «Дальше» counts the page it leaves as read, the right arrow does too; the left one only goes back.
    await page.getByRole("link", { name: /^Дальше/ }).click();
    await waitForPage(page, second.id);
    await page.getByRole("heading", { level: 1, name: second.title ?? "" }).waitFor();
    await page.keyboard.press("ArrowRight");
    await waitForPage(page, third.id);
    await waitUntilRead(page, second.id);
    await page.getByRole("heading", { level: 1, name: third.title ?? "" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await waitForPage(page, second.id);

    // A lesson completes in front of the reader: its marker and the ring change, and nobody asks for the tree.
    const lesson = lessons.find((lesson) => lesson.pages.length > 1 && !lesson.pages.includes(first));
    const module = truth.modules.find((module) => lesson && module.lessons.includes(lesson));
    if (!lesson || !module) throw new Error("the book has no second lesson of two pages");
    await openLesson(page, module.title, lesson.title);
    await lessonButton(page, lesson.title, "Не пройден").waitFor();
    for (const { id } of lesson.pages) {
      await pageLink(page, id).click();
      await waitForPage(page, id);
      await readToTheEnd(page);
      await waitUntilRead(page, id);
    }
    await lessonButton(page, lesson.title, "Пройден").waitFor();
    await page.getByText(`Урок «${lesson.title}» пройден`).waitFor();
    const now = await tree(server, token ?? "", course.course_id);
    expect(
      now.modules.flatMap((one) => one.lessons).find((one) => one.title === lesson.title)?.isCompleted,
    ).toBe(true);
    await contents(page)
      .getByRole("img", { name: passed(now.progress.percent) })
      .waitFor();
    expect(treeQueries()).toEqual(["CourseTree"]);

    // Home knows where to go on.
    await page.getByRole("link", { name: "Мои курсы" }).first().click();
    await page.waitForURL(`${server.url}/`);
    await page.getByRole("img", { name: passed(now.progress.percent) }).waitFor();
    const unread = now.modules
      .flatMap((module) => module.lessons.flatMap((lesson) => lesson.pages))
      .find((one) => !one.isVisited);
    await page.getByRole("link", { name: "Продолжить" }).click();
    await waitForPage(page, unread?.id ?? "");

    // What was read is still read for who signs in elsewhere.
    const elsewhere = await newTab(server, {
      token: await login(server.url, account.email, account.password),
    });
    await elsewhere.page.goto(`/view-page/${first.id}`);
    await waitUntilRead(elsewhere.page, first.id);
  });
});

/** The words of a progress ring; spaces before the percent sign do not break. */
function passed(percent: number): RegExp {
  return new RegExp(`^Пройдено\\s${percent}\\s%`);
}
