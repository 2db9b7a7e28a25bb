import type { Page } from "playwright-core";
import { graphql, post } from "../../../scripts/client.mjs";
import { field } from "../app.ts";
import { makeCourse, openOutline, outline } from "../authoring.ts";
import { text } from "../editing.ts";
import { person } from "../people.ts";
import type { Screen, Stage } from "../stage.ts";

/** The list of courses and everything authors write in. */
export const writing: Screen[] = [
  {
    name: "home-empty",
    show: async (page, { server }) => {
      // Somebody newer than the newcomer, who may have made a course meanwhile.
      const { token } = await person(server, "Морозова Ирина Олеговна");
      await page.goto("/login");
      await page.evaluate((token) => localStorage.setItem("access_token", token), token);
      await page.goto("/");
      await page.getByText("Вы пока не ведёте курсы").waitFor();
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
      await atTheBeginning(page);
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
];

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

async function openPage(page: Page, id: string): Promise<void> {
  await page.goto(`/edit-page/${id}`);
  await text(page).waitFor();
}

/** Before the first letter of the text. */
async function atTheBeginning(page: Page): Promise<void> {
  await text(page)
    .locator("> p")
    .first()
    .click({ position: { x: 1, y: 8 } });
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
  await atTheBeginning(page);
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
