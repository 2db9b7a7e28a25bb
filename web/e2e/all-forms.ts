import type { Page } from "@playwright/test";
import type { Server } from "../../scripts/server.mjs";
import { enroll, generateShareCode, signUp } from "./api.ts";
import { bankForms } from "./bank-forms.ts";
import { openReady } from "./builder.ts";
import { certificateForms } from "./certificates.ts";
import { type Form, gradeForms, type World } from "./grade-forms.ts";
import { contentField } from "./page-editor.ts";
import { askQuestion } from "./page-questions.ts";
import { snapshotForms } from "./snapshots.ts";
import { field, openUserMenu } from "./ui.ts";

export const press = (page: Page, button: string) =>
  page.getByRole("button", { name: button, exact: true }).click();
const toHome = (page: Page) => page.getByRole("link", { name: "Kurso" }).first().click();
const toContents = (page: Page) => page.getByRole("link", { name: "Содержание", exact: true }).click();
const courseSettings = (page: Page, { courseId }: World) =>
  page.goto(`/edit-course/${courseId}?tab=settings`);
const settings = (page: Page) => page.goto("/settings");

const groups = (page: Page, { courseId }: World) =>
  page.goto(`/edit-course/${courseId}?tab=students&view=groups`);

/** Opens the menu of the first group, which it creates at first. */
async function openGroupMenu(page: Page, world: World) {
  await groups(page, world);
  const title = field(page, "Название группы");
  await title.waitFor();
  const menu = page.getByRole("button", { name: "Действия с группой" }).first();
  if (!(await menu.isVisible())) {
    await title.fill("10-А");
    await title.press("Enter");
  }
  await menu.click();
}

const questions = new WeakMap<World, Promise<string>>();

/** A learner's question under the page, the same one each time. */
function questionOf(page: Page, world: World): Promise<string> {
  const ask = async () => {
    await page.goto("/");
    const server = { url: new URL(page.url()).origin } as Server;
    const learner = await signUp(server);
    await enroll(server, learner, await generateShareCode(server, world.author, world.courseId));
    return askQuestion({ server, pageId: world.pageId }, learner, "Почему так?");
  };
  const asked = questions.get(world) ?? ask();
  questions.set(world, asked);
  return asked;
}

/**
 * Every form whose text exists only in its fields until it is submitted, and those of bank questions, whose text is on this device as well.
 */
export const FORMS = {
  ...bankForms,
  ...certificateForms,
  "course-dates": {
    open: courseSettings,
    field: (page) => field(page, "Начало"),
    typed: "1.9.2027 10:00",
    leave: toContents,
  },
  "course-questions": {
    open: courseSettings,
    field: (page) => field(page, "Запрещённые слова"),
    typed: "готовые ответы",
    leave: toContents,
  },
  "course-texts": {
    open: courseSettings,
    field: (page) => field(page, "Описание"),
    typed: "О чём этот курс",
    leave: toContents,
  },
  "create-course": {
    open: async (page) => {
      await page.goto("/");
      await page.getByRole("button", { name: "Создать курс" }).first().click();
    },
    field: (page) => page.getByRole("dialog").getByRole("textbox"),
    typed: "Новый курс",
  },
  "date-cell": {
    open: async (page, { courseId }) => {
      await page.goto(`/edit-course/${courseId}?tab=dates`);
      await page.locator("tr[data-kind=module] [data-cell]").first().press("Enter");
    },
    field: (page) => page.getByRole("grid").getByRole("textbox"),
    // A readable date is saved as soon as the field loses the focus.
    typed: "в начале декабря",
    leave: toHome,
  },
  email: {
    open: settings,
    field: (page) => field(page, "Email"),
    typed: "other@example.com",
    leave: toHome,
  },
  ...gradeForms,
  group: {
    open: groups,
    field: (page) => field(page, "Название группы"),
    typed: "Осенний поток",
    leave: toContents,
  },
  "group-emails": {
    open: async (page, world) => {
      await openGroupMenu(page, world);
      await page.getByRole("menuitem", { name: "Добавить по списку email…" }).click();
    },
    field: (page) => field(page, "Адреса учеников"),
    typed: "anna@example.com, boris@example.com",
  },
  "group-title": {
    open: async (page, world) => {
      await openGroupMenu(page, world);
      await page.getByRole("menuitem", { name: "Переименовать…" }).click();
    },
    field: (page) => page.getByRole("dialog").getByRole("textbox"),
    typed: "Весенний поток",
  },
  "hand-over": {
    open: courseSettings,
    field: (page) => field(page, "Email нового владельца"),
    typed: "heir@example.com",
    leave: toContents,
  },
  invite: {
    open: courseSettings,
    field: (page) => page.getByRole("form", { name: "Приглашение в команду" }).getByRole("textbox"),
    typed: "editor@example.com",
    leave: toContents,
  },
  item: {
    open: async (page) => {
      await page.goto("/items");
      await press(page, "Добавить элемент");
    },
    field: (page) => field(page, "Описание"),
    typed: "Пара слов",
  },
  link: {
    open: async (page, { pageId }) => {
      await page.goto(`/edit-page/${pageId}`);
      await contentField(page).focus();
      await page.keyboard.press("Control+k");
    },
    field: (page) => field(page, "Адрес или название страницы"),
    typed: "example.com/a-long-address",
  },
  "module-description": {
    open: async (page, { courseId }) => {
      await page.goto(`/edit-course/${courseId}`);
      await page.getByRole("button", { name: /^Обложка и описание/ }).click();
    },
    field: (page) => field(page, "Описание"),
    typed: "О чём этот модуль",
  },
  nudge: {
    open: async (page, { author, courseId }) => {
      await page.goto(`/edit-course/${courseId}?tab=students`);
      const student = page.getByRole("checkbox", { name: /^Выбрать:/ }).first();
      const empty = page.getByRole("heading", { name: "Пока никто не записался" });
      await empty.or(student).waitFor();
      if (await empty.isVisible()) {
        const server = { url: new URL(page.url()).origin } as Server;
        await enroll(server, await signUp(server), await generateShareCode(server, author, courseId));
        await page.reload();
      }
      await student.check();
      await press(page, "Напомнить…");
    },
    field: (page) => field(page, "Текст напоминания"),
    typed: "Продолжим в понедельник?",
  },
  "outline-title": {
    open: async (page, { courseId }) => {
      await page.goto(`/edit-course/${courseId}`);
      await page.getByRole("row", { name: /^Модуль/ }).press("F2");
    },
    field: (page) => page.getByRole("treegrid").getByRole("textbox"),
    // A valid title is saved as soon as the field loses the focus.
    typed: "я".repeat(256),
    leave: toHome,
  },
  override: {
    open: async (page, { courseId }) => {
      await page.goto(`/edit-course/${courseId}?tab=students&view=overrides`);
      await press(page, "Продлить срок");
    },
    field: (page) => field(page, "Новое закрытие"),
    typed: "в начале декабря",
  },
  "part-dates": {
    open: async (page, { courseId }) => {
      await page.goto(`/edit-course/${courseId}`);
      await page.getByRole("button", { name: "Действия: Модуль" }).click();
      await page.getByRole("menuitem", { name: "Даты…" }).click();
    },
    field: (page) => field(page, "Сдать до"),
    typed: "5.12.2027",
  },
  password: {
    open: settings,
    field: (page) => field(page, "Текущий пароль"),
    typed: "половина пароля",
    leave: toHome,
    isSecret: true,
  },
  "pasted-questions": {
    open: async (page, { quizId }) => {
      await page.goto(`/edit-page/${quizId}`);
      await openReady(page, "Вставить текст…");
    },
    field: (page) => field(page, "Текст вопросов"),
    typed: "Столица Франции?",
  },
  "post-reason": {
    open: async (page, world) => {
      await page.goto(`/view-page/${world.pageId}?question=${await questionOf(page, world)}`);
      await page.getByRole("button", { name: /^Действия: / }).click();
      await page.getByRole("menuitem", { name: "Скрыть…" }).click();
    },
    field: (page) => page.getByRole("dialog").getByRole("textbox"),
    typed: "Не о странице",
  },
  profile: {
    open: settings,
    field: (page) => field(page, "Фамилия, имя и отчество"),
    typed: "Иванова Анна",
    leave: toHome,
  },
  "save-to-bank": {
    open: async (page, { quizId }) => {
      await page.goto(`/edit-page/${quizId}`);
      await press(page, "Короткий ответ");
      await press(page, "Сохранить в банк…");
    },
    field: (page) => field(page, "Теги"),
    typed: "проценты, дроби",
  },
  "share-code": {
    // Signing in leads to it.
    open: async (page) => {
      if (new URL(page.url()).pathname !== "/") await page.goto("/");
    },
    field: (page) => field(page, "Код курса"),
    typed: "ABCD-E",
    leave: async (page) => {
      await openUserMenu(page, "Иванова");
      await page.getByRole("menuitem", { name: "Настройки" }).click();
    },
  },
  "sign-up": {
    open: (page) => page.goto("/signup"),
    field: (page) => field(page, "Фамилия"),
    typed: "Иванова",
    leave: (page) => page.getByRole("link", { name: "Уже есть аккаунт? Войти" }).click(),
    by: "visitor",
  },
  ...snapshotForms,
  "test-mail": {
    open: (page) => page.goto("/admin?tab=system"),
    field: (page) => field(page, "Кому"),
    typed: "tester@example.com",
    leave: toHome,
    by: "superuser",
  },
  "transfer-course": {
    open: async (page) => {
      await settings(page);
      await press(page, "Удалить аккаунт…");
      await page.getByRole("button", { name: /^Передать курс/ }).click();
    },
    field: (page) => page.getByRole("textbox", { name: /^Email нового владельца курса/ }),
    typed: "heir@example.com",
  },
  user: {
    open: async (page) => {
      await page.goto("/admin");
      await page.getByRole("button", { name: "Создать аккаунт" }).click();
    },
    field: (page) => page.getByRole("dialog").getByLabel("Фамилия, имя и отчество"),
    typed: "Новый человек",
    by: "superuser",
  },
  video: {
    open: async (page, { pageId }) => {
      await page.goto(`/edit-page/${pageId}`);
      await contentField(page).focus();
      await page.keyboard.type("/видео");
      await page.getByRole("option", { name: "Видео", exact: false }).first().click();
    },
    field: (page) => page.getByRole("dialog").getByRole("textbox"),
    typed: "https://rutube.ru/video/0123",
  },
} satisfies Record<string, Form>;
