import type { Page } from "playwright-core";
import { demoBook } from "../../scripts/books.mjs";
import { graphql, login, post } from "../../scripts/client.mjs";
import { admin, type Imported, type Server } from "../../scripts/server.mjs";
import { field, signIn, toast } from "./app.ts";
import { makeCourse, openOutline, outline } from "./authoring.ts";
import { newTab, type sizes, type Tab } from "./browser.ts";
import { text } from "./editing.ts";
import { enroll, type Person, person, tree } from "./people.ts";
import { everyKind } from "./quizzes.ts";

/** What every screen can be shown with: a course, a learner in the middle of it, and somebody who is new. */
export interface Stage {
  server: Server;
  course: Imported;
  courseTitle: string;
  pages: string[];
  /** Of the second page. */
  pageTitle: string;
  learner: Person;
  newcomer: Person;
  /** Who sees a screen, signed in once. */
  tokens: Record<Watcher, string>;
  /** A copy of the book with a quiz of every kind of question in it: what the screens of writing change is nobody else's. */
  written: Written;
}

interface Written {
  lessonId: string;
  /** Of the page: its title and its content. */
  text: { title: string; content: { type: string; content: unknown[] } };
  pageId: string;
  quizId: string;
  /** Of the screen before. */
  changed?: string;
}

export type Watcher = "learner" | "newcomer" | "superuser";

export async function setStage(server: Server, book = demoBook): Promise<Stage> {
  const course = await server.import(book, admin.email);
  const learner = await person(server, "Иванова Анна Петровна", "anna@example.com");
  const newcomer = await person(server, "Петров Пётр Петрович", "petr@example.com");
  await enroll(server, learner, course.share_code);
  const { title: courseTitle, modules } = await tree(server, learner.token, course.course_id);
  const all = modules.flatMap((module) => module.lessons.flatMap((lesson) => lesson.pages));
  const pages = all.map((page) => page.id);
  for (const id of pages.slice(0, Math.ceil(pages.length / 3))) {
    await fetch(`${server.url}/api/v1/courses/mark_page_visited/${id}`, {
      method: "POST",
      headers: { authorization: `Bearer ${learner.token}` },
    });
  }
  const superuser = await login(server.url, admin.email, admin.password);
  return {
    server,
    course,
    courseTitle,
    pages,
    pageTitle: all[1]?.title ?? "",
    learner,
    newcomer,
    tokens: { learner: learner.token, newcomer: newcomer.token, superuser },
    written: await copyBook(server, superuser, course.course_id, courseTitle),
  };
}

async function copyBook(server: Server, token: string, from: string, title: string): Promise<Written> {
  const call = (query: string, input: object) => graphql(server.url, token, query, { input });
  const { duplicateCourse } = await call(
    `mutation ($input: DuplicateCourseInput!) { duplicateCourse(input: $input) {
      course { id modules { lessons { id pages { id title content } } } } } }`,
    { courseId: from },
  );
  const { id, modules } = duplicateCourse.course;
  await call("mutation ($input: UpdateCourseInput!) { updateCourse(input: $input) { course { id } } }", {
    courseId: id,
    title: `${title}: новая редакция`,
  });
  const lessons = modules.flatMap(
    (module: { lessons: { id: string; pages: unknown[] }[] }) => module.lessons,
  );
  const lesson = lessons.find((one: { pages: unknown[] }) => one.pages.length > 1);
  const { id: pageId, ...text } = lesson.pages[1];
  const quiz = { title: "Проверьте себя", kind: "quiz", quiz: everyKind };
  const path = `/api/v1/courses/create_page/${lesson.id}`;
  const { id: quizId } = await post(server.url, path, quiz, token);
  return { lessonId: lesson.id, text, pageId, quizId };
}

/** Another page with the same text, for a screen that changes it; the one before it goes. */
async function anotherPage({ server, tokens, written }: Stage, text: object = written.text): Promise<string> {
  const path = `/api/v1/courses/create_page/${written.lessonId}`;
  const { id: pageId } = await post(server.url, path, text, tokens.superuser);
  if (written.changed) {
    const query = "mutation ($input: DeletePageInput!) { deletePage(input: $input) { pageId } }";
    await graphql(server.url, tokens.superuser, query, { input: { pageId: written.changed } });
  }
  written.changed = pageId;
  return pageId;
}

/** One screen in one state: who looks at it and how to get there; resolves when the screen is complete. */
export interface Screen {
  name: string;
  who?: Watcher;
  show: (page: Page, stage: Stage) => Promise<void>;
}

const unknownId = "01900000-0000-7000-8000-000000000000";

export const screens: Screen[] = [
  {
    name: "login",
    show: async (page) => {
      await page.goto("/login");
      await page.getByRole("button", { name: "Войти" }).waitFor();
    },
  },
  {
    name: "login-refused",
    show: async (page) => {
      await page.goto("/login");
      await signIn(page, "nobody@example.com", "wrong password");
      await toast(page, "Что-то пошло не так!").waitFor();
    },
  },
  {
    name: "signup",
    show: async (page) => {
      await page.goto("/signup");
      await page.getByRole("button", { name: "Зарегистрироваться" }).waitFor();
    },
  },
  {
    name: "signup-errors",
    show: async (page) => {
      await page.goto("/signup");
      await page.getByRole("button", { name: "Зарегистрироваться" }).click();
      await page.getByText("Фамилия обязательна").waitFor();
      await field(page, "Подтверждение пароля").blur();
    },
  },
  {
    name: "recover-password",
    show: async (page) => {
      await page.goto("/recover-password");
      await page.getByRole("button", { name: "Отправить ссылку" }).click();
      await page.getByText("Email обязателен").waitFor();
    },
  },
  {
    name: "recover-password-sent",
    show: async (page) => {
      await page.goto("/recover-password");
      await field(page, "Email").fill("nobody@example.com");
      await page.getByRole("button", { name: "Отправить ссылку" }).click();
      await page.getByRole("heading", { name: "Проверьте почту" }).waitFor();
    },
  },
  {
    name: "reset-password",
    show: async (page) => {
      await page.goto("/reset-password?token=a.b.c");
      await page.getByRole("button", { name: "Сохранить пароль" }).waitFor();
    },
  },
  {
    name: "reset-password-dead",
    show: async (page) => {
      await page.goto("/reset-password");
      await page.getByRole("heading", { name: "Ссылка не работает" }).waitFor();
    },
  },
  {
    name: "undo-email-change",
    show: async (page) => {
      await page.goto("/undo-email-change?token=a.b.c");
      await page.getByRole("button", { name: "Вернуть прежний адрес" }).waitFor();
    },
  },
  {
    name: "settings",
    who: "learner",
    show: async (page) => {
      await page.goto("/settings");
      await page.getByRole("list", { name: "Сеансы" }).waitFor();
    },
  },
  {
    name: "settings-errors",
    who: "learner",
    show: async (page) => {
      await page.goto("/settings");
      await page.getByRole("button", { name: "Сменить пароль" }).click();
      await page.getByText("Подтверждение пароля обязательно").waitFor();
    },
  },
  {
    name: "settings-delete",
    who: "learner",
    show: async (page) => {
      await page.goto("/settings");
      await page.getByRole("button", { name: "Удалить аккаунт…" }).click();
      await page.getByLabel(/Чтобы продолжить, введите/).waitFor();
    },
  },
  {
    name: "items-empty",
    who: "newcomer",
    show: async (page) => {
      await page.goto("/items");
      await page.getByRole("heading", { name: "Здесь пока пусто" }).waitFor();
    },
  },
  {
    name: "items",
    who: "superuser",
    show: async (page, { server, learner }) => {
      await makeItems(server, learner.token);
      await page.goto("/items");
      await page.getByRole("list", { name: "Элементы" }).waitFor();
    },
  },
  {
    name: "items-create",
    who: "newcomer",
    show: async (page) => {
      await page.goto("/items");
      await page.getByRole("button", { name: "Добавить элемент" }).click();
      await page.getByRole("button", { name: "Добавить", exact: true }).click();
      await page.getByText("Введите название").waitFor();
    },
  },
  {
    name: "admin-users",
    who: "superuser",
    show: async (page) => {
      await page.goto("/admin");
      await page.getByRole("list", { name: "Пользователи" }).waitFor();
    },
  },
  {
    name: "admin-user",
    who: "superuser",
    show: async (page) => {
      await page.goto("/admin");
      await page.getByRole("button", { name: "Создать аккаунт" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Создать аккаунт" }).click();
      await page.getByText("Email обязателен").waitFor();
    },
  },
  {
    name: "admin-delete-user",
    who: "superuser",
    show: async (page, { learner }) => {
      await page.goto("/admin");
      await page.getByRole("button", { name: `Действия с аккаунтом: ${learner.fullName}` }).click();
      await page.getByRole("menuitem", { name: "Удалить" }).click();
      await page.getByLabel(/Чтобы продолжить, введите/).waitFor();
    },
  },
  {
    name: "admin-courses",
    who: "superuser",
    show: async (page) => {
      await page.goto("/admin?tab=courses");
      await page.getByRole("list", { name: "Курсы" }).waitFor();
    },
  },
  {
    name: "admin-system",
    who: "superuser",
    show: async (page) => {
      await page.goto("/admin?tab=system");
      await page.getByText("Отвечает").waitFor();
    },
  },
  {
    name: "admin-not-for-learners",
    who: "learner",
    show: async (page) => {
      await page.goto("/admin");
      await page.getByRole("heading", { name: "Упс!" }).waitFor();
    },
  },
  {
    name: "leave-course",
    who: "learner",
    show: async (page, { course }) => {
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByRole("button", { name: "Покинуть курс…" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "home-empty",
    who: "newcomer",
    show: async (page) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
    },
  },
  {
    name: "home",
    who: "learner",
    show: async (page) => {
      await page.goto("/");
      await page.getByRole("link", { name: "Продолжить" }).first().waitFor();
    },
  },
  {
    name: "home-teacher",
    who: "superuser",
    show: async (page, { course }) => {
      await page.goto("/");
      await page.locator(`a[href="/edit-course/${course.course_id}"]`).first().waitFor();
    },
  },
  {
    name: "home-create",
    who: "superuser",
    show: async (page) => {
      await page.goto("/");
      await page.getByRole("button", { name: "Создать курс" }).click();
      await page.getByRole("button", { name: "Создать", exact: true }).click();
      await page.getByText("Введите название").waitFor();
    },
  },
  {
    name: "home-menu",
    who: "superuser",
    show: async (page, { courseTitle }) => {
      await page.goto("/");
      await page.getByRole("button", { name: `Действия с курсом «${courseTitle}»` }).click();
      await page.getByRole("menuitem", { name: "Сделать копию" }).waitFor();
    },
  },
  {
    name: "home-delete",
    who: "superuser",
    show: async (page, { courseTitle }) => {
      await page.goto("/");
      await page.getByRole("button", { name: `Действия с курсом «${courseTitle}»` }).click();
      await page.getByRole("menuitem", { name: "Удалить" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Удалить курс" }).waitFor();
    },
  },
  {
    name: "edit-course",
    who: "superuser",
    show: async (page, { course }) => {
      await openOutline(page, course.course_id);
    },
  },
  {
    name: "edit-course-selected",
    who: "superuser",
    show: async (page, { course }) => {
      await openOutline(page, course.course_id);
      await outline(page)
        .getByRole("row", { name: /^Страница/ })
        .nth(1)
        .press("Space");
      await page.keyboard.press("Shift+ArrowDown");
      await page.getByText("Выбрано 2 страницы").waitFor();
    },
  },
  {
    name: "edit-course-writing",
    who: "superuser",
    show: async (page, { course }) => {
      await openOutline(page, course.course_id);
      await page
        .getByRole("button", { name: /^Страница: добавить в урок/ })
        .first()
        .click();
      await field(page, "Название страницы").fill("я".repeat(256));
      await page.keyboard.press("Enter");
      await page.getByText("Название не длиннее 255 знаков").waitFor();
    },
  },
  {
    name: "edit-course-menu",
    who: "superuser",
    show: async (page, { course }) => {
      await openOutline(page, course.course_id);
      await page
        .getByRole("button", { name: /^Действия:/ })
        .first()
        .click();
      await page.getByRole("menuitem", { name: "Переименовать" }).waitFor();
    },
  },
  {
    name: "edit-course-move",
    who: "superuser",
    show: async (page, { course }) => {
      await openOutline(page, course.course_id);
      await page
        .getByRole("button", { name: /^Действия:/ })
        .nth(2)
        .click();
      await page.getByRole("menuitem", { name: "Переместить в…" }).click();
      await page.getByLabel("Найти по названию").waitFor();
    },
  },
  {
    name: "edit-course-module",
    who: "superuser",
    show: async (page, { course }) => {
      await openOutline(page, course.course_id);
      await page
        .getByRole("button", { name: /^Обложка и описание/ })
        .first()
        .click();
      await field(page, "Описание").waitFor();
    },
  },
  {
    name: "edit-course-empty",
    who: "newcomer",
    show: async (page, { server, newcomer }) => {
      await openOutline(page, await makeCourse(server, newcomer, "Новый курс"));
    },
  },
  {
    name: "edit-course-settings",
    who: "superuser",
    show: async (page, { course }) => {
      await page.goto(`/edit-course/${course.course_id}?tab=settings`);
      await page.getByRole("img", { name: /QR-код/ }).waitFor();
      await page.getByRole("button", { name: "Пригласить" }).waitFor();
    },
  },
  {
    name: "edit-page",
    who: "superuser",
    show: async (page, { written }) => {
      await openPage(page, written.pageId);
    },
  },
  {
    name: "edit-page-empty",
    who: "superuser",
    show: async (page, stage) => {
      await openPage(page, await anotherPage(stage, {}));
    },
  },
  {
    name: "edit-page-slash",
    who: "superuser",
    show: async (page, stage) => {
      await openPage(page, await anotherPage(stage));
      await text(page).locator("> p").first().click();
      await page.keyboard.press("End");
      await page.keyboard.type(" /");
      await page.getByRole("listbox", { name: "Вставить" }).waitFor();
    },
  },
  {
    name: "edit-page-code",
    who: "superuser",
    show: async (page, stage) => {
      await openPage(page, await anotherPage(stage, { title: "Первая программа", content: blocks }));
      await page.locator("[data-type=codeBlock] code").click();
      await page.locator("[data-panel=codeBlock]").waitFor();
    },
  },
  {
    name: "edit-page-link",
    who: "superuser",
    show: async (page, stage) => {
      await openPage(page, await anotherPage(stage));
      await text(page).locator("> p").first().click();
      await page.keyboard.press("Control+k");
      await field(page, "Адрес или название страницы").fill("себя");
      await page.getByRole("dialog").getByText("Проверьте себя").first().waitFor();
    },
  },
  {
    name: "edit-page-preview",
    who: "superuser",
    show: async (page, { written }) => {
      await openPage(page, written.pageId);
      await page.getByRole("button", { name: "Как увидит ученик" }).click();
      await page.getByRole("button", { name: "Вернуться к правке" }).waitFor();
    },
  },
  {
    name: "edit-page-history",
    who: "superuser",
    show: async (page, stage) => {
      const id = await anotherPage(stage);
      await saveElsewhere(stage, id, "Как это было вчера");
      await openPage(page, id);
      await page.getByRole("button", { name: "История" }).click();
      const versions = page.getByRole("dialog").getByRole("list", { name: "Версии" });
      await versions.getByRole("button").first().waitFor();
      await page.getByRole("button", { name: "Вернуть эту версию" }).or(versions).first().waitFor();
    },
  },
  {
    name: "edit-page-conflict",
    who: "superuser",
    show: async (page, stage) => {
      await intoConflict(page, stage);
    },
  },
  {
    name: "edit-page-compare",
    who: "superuser",
    show: async (page, stage) => {
      await intoConflict(page, stage);
      await page.getByRole("button", { name: "Сравнить и выбрать" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Оставить мой" }).waitFor();
    },
  },
  {
    name: "edit-page-together",
    who: "superuser",
    show: async (page, stage) => {
      const id = await anotherPage(stage);
      await openPage(page, id);
      const other = await page.context().newPage();
      await openPage(other, id);
      await page.getByRole("status").filter({ hasText: "Сейчас здесь" }).waitFor();
    },
  },
  {
    name: "edit-page-offline",
    who: "superuser",
    show: async (page, stage) => {
      await openPage(page, await anotherPage(stage));
      await page.context().setOffline(true);
      await text(page).locator("> p").first().click();
      await page.keyboard.type("Написано в поезде. ");
      await page.getByText("Нет сети: сохраним позже").waitFor();
    },
  },
  {
    name: "edit-quiz",
    who: "superuser",
    show: async (page, { written }) => {
      await openQuiz(page, written.quizId);
    },
  },
  {
    name: "edit-quiz-question",
    who: "superuser",
    show: async (page, { written }) => {
      await openQuiz(page, written.quizId);
      await page.locator("[data-header]").first().click();
      await page.getByRole("button", { name: "Дублировать" }).waitFor();
    },
  },
  {
    name: "edit-quiz-try",
    who: "superuser",
    show: async (page, { written }) => {
      await openQuiz(page, written.quizId);
      await page.getByRole("button", { name: "Пройти как ученик" }).click();
      await page.getByRole("radiogroup").getByLabel("mut").check();
    },
  },
  {
    name: "edit-quiz-result",
    who: "superuser",
    show: async (page, { written }) => {
      await openQuiz(page, written.quizId);
      await page.getByRole("button", { name: "Пройти как ученик" }).click();
      await page.getByRole("radiogroup").getByLabel("mut").check();
      await page.getByRole("button", { name: "Проверить ответы" }).click();
      await page.getByRole("button", { name: "Всё равно отправить" }).click();
      await page.getByText("Это проба: ничего не сохранено").waitFor();
    },
  },
  {
    name: "palette-writing",
    who: "superuser",
    show: async (page, { written }) => {
      await openPage(page, written.pageId);
      await page.getByRole("button", { name: "История" }).focus();
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("combobox").fill("себя");
      await page
        .getByRole("option", { name: /^Проверьте себя/ })
        .first()
        .waitFor();
    },
  },
  {
    name: "view-course",
    who: "learner",
    show: async (page, { course, courseTitle }) => {
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByRole("heading", { level: 1, name: courseTitle }).waitFor();
      await page.getByRole("main").getByRole("region").or(page.locator("main li a")).first().waitFor();
    },
  },
  {
    name: "view-page",
    who: "learner",
    show: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[1]}`);
      await page.getByRole("article").waitFor();
    },
  },
  {
    name: "menu-open",
    who: "learner",
    show: async (page, { learner }) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await openSidebar(page);
      await page.getByRole("button", { name: learner.fullName }).click();
      await page.getByRole("menuitem", { name: "Выйти" }).waitFor();
    },
  },
  {
    name: "contents-open",
    who: "learner",
    show: async (page, { pages }) => {
      await page.goto(`/view-page/${pages[0]}`);
      await page.getByRole("article").waitFor();
      await openSidebar(page);
      await page.locator(`a[href="/view-page/${pages[0]}"]`).first().waitFor();
    },
  },
  {
    name: "palette",
    who: "learner",
    show: async (page, { courseTitle }) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("option", { name: courseTitle }).waitFor();
    },
  },
  {
    name: "palette-found",
    who: "learner",
    show: async (page, { pageTitle }) => {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("Control+k");
      await page.locator("dialog[open] [role=combobox]").waitFor();
      await page.keyboard.type(pageTitle.slice(0, 5));
      await page.getByRole("option", { name: pageTitle }).first().waitFor();
    },
  },
  {
    name: "unknown-path",
    show: async (page) => {
      await page.goto("/no/such/path");
      await page.getByRole("heading", { name: "Упс!" }).waitFor();
    },
  },
  {
    name: "unknown-course",
    who: "newcomer",
    show: async (page) => {
      await page.goto(`/view-course/${unknownId}`);
      await page.getByText("Not Found").waitFor();
    },
  },
  {
    name: "server-gone",
    who: "learner",
    show: async (page, { course }) => {
      await page.route("**/graphql", (route) => route.abort());
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByRole("button", { name: "Повторить" }).first().waitFor();
    },
  },
];

async function openPage(page: Page, id: string): Promise<void> {
  await page.goto(`/edit-page/${id}`);
  await text(page).waitFor();
}

async function openQuiz(page: Page, id: string): Promise<void> {
  await page.goto(`/edit-page/${id}`);
  await page.getByRole("heading", { name: "Вопросы", exact: true }).waitFor();
  await page.locator("[data-header]").first().waitFor();
}

/** Somebody else saves the page. */
async function saveElsewhere(
  { server, tokens, written }: Stage,
  pageId: string,
  words: string,
): Promise<void> {
  const { content } = written.text.content;
  const first = { type: "paragraph", content: [{ type: "text", text: words }] };
  await graphql(
    server.url,
    tokens.superuser,
    "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { version } } }",
    { input: { pageId, content: { type: "doc", content: [first, ...content.slice(1)] } } },
  );
}

/** Two people save one page: the other one while the first save of this one is on its way. */
async function intoConflict(page: Page, stage: Stage): Promise<void> {
  const id = await anotherPage(stage);
  await openPage(page, id);
  let isFirst = true;
  await page.route("**/graphql", async (route) => {
    if (isFirst && route.request().postDataJSON()?.operationName === "SavePage") {
      isFirst = false;
      await saveElsewhere(stage, id, "Rust — язык, в котором за памятью следит компилятор.");
    }
    await route.continue();
  });
  await text(page).locator("> p").first().click();
  await page.keyboard.type("Начнём с главного. ");
  await page.getByRole("button", { name: "Сравнить и выбрать" }).waitFor();
}

/** A little of what an author puts together. */
const blocks = {
  type: "doc",
  content: [
    paragraph("Программа на Rust начинается с функции ", { code: "main" }, "."),
    {
      type: "codeBlock",
      attrs: { language: "rust", caption: "src/main.rs" },
      content: [{ type: "text", text: 'fn main() {\n    println!("Здравствуй, мир!");\n}' }],
    },
    {
      type: "callout",
      attrs: { kind: "tip" },
      content: [paragraph("Восклицательный знак — признак макроса.")],
    },
    {
      type: "taskList",
      content: ["Установить Rust", "Собрать программу"].map((one, at) => ({
        type: "taskItem",
        attrs: { checked: at === 0 },
        content: [paragraph(one)],
      })),
    },
    { type: "blockMath", attrs: { latex: "2^{32} - 1" } },
  ],
};

function paragraph(...parts: (string | { code: string })[]) {
  const content = parts.map((part) =>
    typeof part === "string"
      ? { type: "text", text: part }
      : { type: "text", text: part.code, marks: [{ type: "code" }] },
  );
  return { type: "paragraph", content };
}

/** Shows a screen in a fresh tab. */
export async function show(screen: Screen, stage: Stage, size: keyof typeof sizes): Promise<Tab> {
  const token = screen.who && stage.tokens[screen.who];
  const tab = await newTab(stage.server, { size, ...(token && { token }) });
  await screen.show(tab.page, stage);
  return tab;
}

/** On a small screen the sidebar is a drawer; on a wide one it is there already. */
async function openSidebar(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Открыть меню" });
  if ((await button.count()) > 0) await button.click();
}

/** A few items, once. */
async function makeItems(server: Server, token: string): Promise<void> {
  const { items } = await graphql(server.url, token, "{ items { totalCount } }", {});
  if (items.totalCount > 0) return;
  const texts: [title: string, description: string | null][] = [
    ["Проверить опечатки в модуле 3", null],
    [
      "Идеи для вводного урока",
      "Начать с вопроса, зачем это нужно, и показать готовую программу за две минуты.",
    ],
    ["Список литературы", "Добавить второе издание и две статьи о владении и заимствовании."],
  ];
  for (const [title, description] of texts) {
    await graphql(
      server.url,
      token,
      "mutation ($i: CreateItemInput!) { createItem(input: $i) { item { id } } }",
      { i: { title, description } },
    );
  }
}
