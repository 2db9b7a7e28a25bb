import { demoBook, rustBook } from "../../scripts/books.mjs";
import { login } from "../../scripts/client.mjs";
import { admin } from "../../scripts/server.mjs";
import { courseTree } from "./api.ts";
import { expect, recordOperations, test } from "./fixtures.ts";
import {
  contents,
  expandLesson,
  expectVisited,
  field,
  lessonButton,
  pageLink,
  scrollToEnd,
  signIn,
  storedToken,
  waitForPage,
} from "./ui.ts";

// The whole journey: a folder of Markdown becomes a course, a visitor signs up and enrolls, reads pages, and completes a
// lesson. It uses the Rust book when that is found, and the demo course otherwise.
const journeys = [
  { database: "sqlite" as const, book: rustBook ?? demoBook },
  { database: "postgres" as const, book: demoBook },
];

for (const { database, book } of journeys) {
  test.describe(`the journey of a learner on ${database}`, () => {
    test.use({ database });

    test("imports a folder of Markdown, signs up, enrolls, reads, and completes a lesson", async ({
      server,
      newTab,
    }) => {
      test.setTimeout(180_000);
      const course = await server.import(book, admin.email);
      if (book === rustBook) expect(course.counts).toMatchObject({ pages: 104, files: 17 });

      // Sign up and sign in.
      const { page } = await newTab();
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

      // An unknown code shows an error. The share code works in lower case and without the hyphen.
      const code = field(page, "Код курса");
      await code.fill("0000-0000");
      await page.getByRole("button", { name: "Записаться" }).click();
      await expect(code).toHaveAttribute("aria-invalid", "true");
      const operations = recordOperations(page);
      await code.fill(` ${course.share_code.toLowerCase().replace("-", " ")} `);
      await page.getByRole("button", { name: "Записаться" }).click();
      await page.waitForURL((url) => url.pathname === `/view-course/${course.course_id}`);

      // The course screen shows the whole tree, from one request.
      const truth = await courseTree(server, token ?? "", course.course_id);
      const lessons = truth.modules.flatMap((module) => module.lessons);
      const pages = lessons.flatMap((lesson) => lesson.pages);
      expect(pages).toHaveLength(course.counts.pages);
      for (const module of truth.modules)
        await expect(page.getByRole("heading", { name: module.title, exact: true })).toBeVisible();
      if ((await page.getByRole("button", { name: "Развернуть всё" }).count()) > 0) {
        await page.getByRole("button", { name: "Развернуть всё" }).click();
      }
      const outline = page.getByRole("main").locator('li a[href^="/view-page/"]');
      await expect(outline).toHaveCount(course.counts.pages);
      // Nothing below requests the tree again.
      const treeQueries = () => operations.filter((name) => name === "CourseTree" || name === "PageCourse");
      expect(treeQueries()).toEqual(["CourseTree"]);

      // A page counts as visited when its end was on the screen.
      const [first, second, third] = pages;
      if (!first || !second || !third) throw new Error("the book is too short for this story");
      // The address changes before the screen does, and keys pressed between the two are for the earlier page.
      const expectPage = async ({ id, title }: (typeof pages)[number]) => {
        await waitForPage(page, id);
        await expect(page.getByRole("heading", { level: 1, name: title ?? "" })).toBeVisible();
      };
      await outline.first().click();
      await expectPage(first);
      await scrollToEnd(page);
      const visited = async () => {
        const now = await courseTree(server, token ?? "", course.course_id);
        return now.modules.flatMap((module) =>
          module.lessons.flatMap((lesson) =>
            lesson.pages.filter((page) => page.isVisited).map((page) => page.id),
          ),
        );
      };
      await expect.poll(visited, "the visited pages").toEqual([first.id]);
      await expectVisited(page, first.id);

      // «Дальше» and the right arrow mark the current page as visited. The left arrow does not.
      await page.getByRole("link", { name: /^Дальше/ }).click();
      await expectPage(second);
      await page.keyboard.press("ArrowRight");
      await expectPage(third);
      await expectVisited(page, second.id);
      await page.keyboard.press("ArrowLeft");
      await waitForPage(page, second.id);

      // Completing a lesson changes its marker and the progress ring without another request for the tree.
      const lesson = lessons.find((lesson) => lesson.pages.length > 1 && !lesson.pages.includes(first));
      const module = truth.modules.find((module) => lesson && module.lessons.includes(lesson));
      if (!lesson || !module) throw new Error("the book has no second lesson of two pages");
      await expandLesson(page, module.title, lesson.title);
      await expect(lessonButton(page, lesson.title, "Не пройден")).toBeVisible();
      for (const one of lesson.pages) {
        await pageLink(page, one.id).click();
        await expectPage(one);
        await scrollToEnd(page);
        await expectVisited(page, one.id);
      }
      await expect(lessonButton(page, lesson.title, "Пройден")).toBeVisible();
      await expect(page.getByText(`Урок «${lesson.title}» пройден`)).toBeVisible();
      // The screen shows a visit before the server has stored it.
      let now = truth;
      await expect
        .poll(async () => {
          now = await courseTree(server, token ?? "", course.course_id);
          return now.modules.flatMap((one) => one.lessons).find((one) => one.title === lesson.title)
            ?.isCompleted;
        })
        .toBe(true);
      await expect(contents(page).getByRole("img", { name: passed(now.progress.percent) })).toBeVisible();
      expect(treeQueries()).toEqual(["CourseTree"]);

      // The home screen continues after the page read last.
      await page.getByRole("link", { name: "Мои курсы" }).first().click();
      await page.waitForURL(`${server.url}/`);
      await expect(page.getByRole("img", { name: passed(now.progress.percent) })).toBeVisible();
      const inOrder = now.modules.flatMap((module) => module.lessons.flatMap((lesson) => lesson.pages));
      const last = inOrder.findIndex(({ id }) => id === lesson.pages.at(-1)?.id);
      const unread = inOrder.slice(last).find((one) => !one.isVisited);
      await page.getByRole("link", { name: "Продолжить" }).click();
      await waitForPage(page, unread?.id ?? "");

      // A session in another browser shows the same visits.
      const otherTab = await newTab({
        token: await login(server.url, account.email, account.password),
      });
      await otherTab.page.goto(`/view-page/${first.id}`);
      await expectVisited(otherTab.page, first.id);
    });
  });
}

/** The accessible name of a progress ring. It has no-break spaces. */
function passed(percent: number): RegExp {
  return new RegExp(`^Пройдено\\s${percent}\\s%`);
}
