import type { Page } from "@playwright/test";
import { graphql, post } from "../../../scripts/client.mjs";
import { createCourse, signUp } from "../api.ts";
import { openOutline, outline } from "../course-outline.ts";
import { contentField } from "../page-editor.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { field } from "../ui.ts";

/** The course list and the screens of authors. */
export const writing: Screen[] = [
  {
    name: "home-empty",
    open: async (page, { server }) => {
      // A new account: the newcomer may have a course from another screen.
      const { token } = await signUp(server, "Морозова Ирина Олеговна");
      await page.goto("/login");
      await page.evaluate((token) => localStorage.setItem("access_token", token), token);
      await page.goto("/");
      await page.getByText("Вы пока не ведёте курсы").waitFor();
    },
  },
  {
    name: "home",
    viewer: "learner",
    open: async (page) => {
      await page.goto("/");
      await page.getByRole("link", { name: "Продолжить" }).first().waitFor();
    },
  },
  {
    name: "home-teacher",
    viewer: "superuser",
    open: async (page, { course }) => {
      await page.goto("/");
      await page.locator(`a[href="/edit-course/${course.course_id}"]`).first().waitFor();
    },
  },
  {
    name: "home-create",
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/");
      await page.getByRole("button", { name: "Создать курс" }).click();
      await page.getByRole("button", { name: "Создать", exact: true }).click();
      await page.getByText("Введите название").waitFor();
    },
  },
  {
    name: "home-menu",
    viewer: "superuser",
    open: async (page, { courseTitle }) => {
      await page.goto("/");
      await page.getByRole("button", { name: `Действия с курсом «${courseTitle}»` }).click();
      await page.getByRole("menuitem", { name: "Сделать копию" }).waitFor();
    },
  },
  {
    name: "home-delete",
    viewer: "superuser",
    open: async (page, { courseTitle }) => {
      await page.goto("/");
      await page.getByRole("button", { name: `Действия с курсом «${courseTitle}»` }).click();
      await page.getByRole("menuitem", { name: "Удалить" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Удалить курс" }).waitFor();
    },
  },
  {
    name: "edit-course",
    viewer: "superuser",
    open: async (page, { course }) => {
      await openOutline(page, course.course_id);
    },
  },
  {
    name: "edit-course-selected",
    viewer: "superuser",
    open: async (page, { course }) => {
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
    viewer: "superuser",
    open: async (page, { course }) => {
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
    viewer: "superuser",
    open: async (page, { course }) => {
      await openOutline(page, course.course_id);
      await page
        .getByRole("button", { name: /^Действия:/ })
        .first()
        .click();
      await page.getByRole("menuitem", { name: "Переименовать" }).waitFor();
    },
  },
  {
    name: "edit-course-trash",
    viewer: "superuser",
    open: async (page, { course }) => {
      await page.goto(`/edit-course/${course.course_id}?tab=trash`);
      await page.getByText("Корзина пуста").waitFor();
    },
  },
  {
    name: "deleted-courses",
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/trash");
      await page.getByRole("heading", { name: "Удалённые курсы", level: 1 }).waitFor();
    },
  },
  {
    name: "edit-course-move",
    viewer: "superuser",
    open: async (page, { course }) => {
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
    viewer: "superuser",
    open: async (page, { course }) => {
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
    viewer: "newcomer",
    open: async (page, { server, newcomer }) => {
      await openOutline(page, await createCourse(server, newcomer, "Новый курс"));
    },
  },
  {
    name: "edit-course-settings",
    viewer: "superuser",
    open: async (page, { course }) => {
      await page.goto(`/edit-course/${course.course_id}?tab=settings`);
      await page.getByRole("img", { name: /QR-код/ }).waitFor();
      await page.getByRole("button", { name: "Пригласить" }).waitFor();
    },
  },
  {
    name: "edit-page",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await openPage(page, copy.pageId);
    },
  },
  {
    name: "edit-page-empty",
    viewer: "superuser",
    open: async (page, sample) => {
      await openPage(page, await anotherPage(sample, {}));
    },
  },
  {
    name: "edit-page-slash",
    viewer: "superuser",
    open: async (page, sample) => {
      await openPage(page, await anotherPage(sample));
      await contentField(page).locator("> p").first().click();
      await page.keyboard.press("End");
      await page.keyboard.type(" /");
      await page.getByRole("listbox", { name: "Вставить" }).waitFor();
    },
  },
  {
    name: "edit-page-code",
    viewer: "superuser",
    open: async (page, sample) => {
      await openPage(page, await anotherPage(sample, { title: "Первая программа", content: blocks }));
      await page.locator("[data-type=codeBlock] code").click();
      await page.locator("[data-panel=codeBlock]").waitFor();
    },
  },
  {
    name: "edit-page-link",
    viewer: "superuser",
    open: async (page, sample) => {
      await openPage(page, await anotherPage(sample));
      await contentField(page).locator("> p").first().click();
      await page.keyboard.press("Control+k");
      await field(page, "Адрес или название страницы").fill("себя");
      await page.getByRole("dialog").getByText("Проверьте себя").first().waitFor();
    },
  },
  {
    name: "edit-page-preview",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await openPage(page, copy.pageId);
      await page.getByRole("button", { name: "Как видит ученик" }).click();
      await page.getByRole("button", { name: "Вернуться к правке" }).waitFor();
    },
  },
  {
    name: "edit-page-history",
    viewer: "superuser",
    open: async (page, sample) => {
      const id = await anotherPage(sample);
      await saveElsewhere(sample, id, "Как это было вчера");
      await openPage(page, id);
      await page.getByRole("button", { name: "История" }).click();
      const versions = page.getByRole("dialog").getByRole("list", { name: "Версии" });
      await versions.getByRole("button").first().waitFor();
      await page.getByRole("button", { name: "Вернуть эту версию" }).or(versions).first().waitFor();
    },
  },
  {
    name: "edit-page-conflict",
    viewer: "superuser",
    open: async (page, sample) => {
      await provokeConflict(page, sample);
    },
  },
  {
    name: "edit-page-compare",
    viewer: "superuser",
    open: async (page, sample) => {
      await provokeConflict(page, sample);
      await page.getByRole("button", { name: "Сравнить и выбрать" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Оставить мой" }).waitFor();
    },
  },
  {
    name: "edit-page-together",
    viewer: "superuser",
    open: async (page, sample) => {
      const id = await anotherPage(sample);
      await openPage(page, id);
      const other = await page.context().newPage();
      await openPage(other, id);
      await page.getByRole("status").filter({ hasText: "Сейчас здесь" }).waitFor();
    },
  },
  {
    name: "edit-page-offline",
    viewer: "superuser",
    open: async (page, sample) => {
      await openPage(page, await anotherPage(sample));
      await page.context().setOffline(true);
      await clickStart(page);
      await page.keyboard.type("Написано в поезде. ");
      await page.getByText("Нет сети: сохраним позже").waitFor();
    },
  },
  {
    name: "edit-quiz",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await openQuiz(page, copy.quizId);
    },
  },
  {
    name: "edit-quiz-question",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await openQuiz(page, copy.quizId);
      await page.locator("[data-header]").first().click();
      await page.getByRole("button", { name: "Дублировать" }).waitFor();
    },
  },
  {
    name: "edit-quiz-try",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await openQuiz(page, copy.quizId);
      await page.getByRole("button", { name: "Пройти как ученик" }).click();
      await page.getByRole("radiogroup").getByLabel("mut").check();
    },
  },
  {
    name: "edit-quiz-result",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await openQuiz(page, copy.quizId);
      await page.getByRole("button", { name: "Пройти как ученик" }).click();
      await page.getByRole("radiogroup").getByLabel("mut").check();
      await page.getByRole("button", { name: "Проверить ответы" }).click();
      await page.getByRole("button", { name: "Всё равно отправить" }).click();
      await page.getByText("Это проба: ничего не сохранено").waitFor();
    },
  },
  {
    name: "palette-writing",
    viewer: "superuser",
    open: async (page, { copy }) => {
      await openPage(page, copy.pageId);
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

/** Creates a page with the same content for a screen that changes it, and deletes the one of the previous screen. */
async function anotherPage({ server, tokens, copy }: SampleData, text: object = copy.text): Promise<string> {
  const path = `/api/v1/courses/create_page/${copy.lessonId}`;
  const { id: pageId } = await post(server.url, path, text, tokens.superuser);
  if (copy.changed) {
    const query = "mutation ($input: DeletePageInput!) { deletePage(input: $input) { pageId } }";
    await graphql(server.url, tokens.superuser, query, { input: { pageId: copy.changed } });
  }
  copy.changed = pageId;
  return pageId;
}

async function openPage(page: Page, id: string): Promise<void> {
  await page.goto(`/edit-page/${id}`);
  await contentField(page).waitFor();
}

/** Places the cursor before the first character. */
async function clickStart(page: Page): Promise<void> {
  await contentField(page)
    .locator("> p")
    .first()
    .click({ position: { x: 1, y: 8 } });
}

async function openQuiz(page: Page, id: string): Promise<void> {
  await page.goto(`/edit-page/${id}`);
  await page.getByRole("heading", { name: "Вопросы", exact: true }).waitFor();
  await page.locator("[data-header]").first().waitFor();
}

/** Saves the page with another first paragraph over GraphQL. */
async function saveElsewhere(
  { server, tokens, copy }: SampleData,
  pageId: string,
  text: string,
): Promise<void> {
  const { content } = copy.text.content;
  const first = { type: "paragraph", content: [{ type: "text", text }] };
  await graphql(
    server.url,
    tokens.superuser,
    "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { version } } }",
    { input: { pageId, content: { type: "doc", content: [first, ...content.slice(1)] } } },
  );
}

/** Provokes a conflict: another session saves the page before the first save of this tab arrives. */
async function provokeConflict(page: Page, sample: SampleData): Promise<void> {
  const id = await anotherPage(sample);
  await openPage(page, id);
  let isFirst = true;
  await page.route("**/graphql", async (route) => {
    if (isFirst && route.request().postDataJSON()?.operationName === "SavePage") {
      isFirst = false;
      await saveElsewhere(sample, id, "Rust — язык, в котором за памятью следит компилятор.");
    }
    await route.continue();
  });
  await clickStart(page);
  await page.keyboard.type("Начнём с главного. ");
  await page.getByRole("button", { name: "Сравнить и выбрать" }).waitFor();
}

/** A document with several kinds of blocks. */
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
