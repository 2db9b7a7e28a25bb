import { graphql } from "../../../scripts/client.mjs";
import type { Server } from "../../../scripts/server.mjs";
import type { Screen } from "../sample-data.ts";
import { field, signIn, toast } from "../ui.ts";

/** Sign-in, sign-up, recovery, settings, items and administration. */
export const account: Screen[] = [
  {
    name: "login",
    open: async (page) => {
      await page.goto("/login");
      await page.getByRole("button", { name: "Войти" }).waitFor();
    },
  },
  {
    name: "login-refused",
    open: async (page) => {
      await page.goto("/login");
      await signIn(page, "nobody@example.com", "wrong password");
      await toast(page, "Что-то пошло не так!").waitFor();
    },
  },
  {
    name: "signup",
    open: async (page) => {
      await page.goto("/signup");
      await page.getByRole("button", { name: "Зарегистрироваться" }).waitFor();
    },
  },
  {
    name: "signup-errors",
    open: async (page) => {
      await page.goto("/signup");
      await page.getByRole("button", { name: "Зарегистрироваться" }).click();
      await page.getByText("Фамилия обязательна").waitFor();
      await field(page, "Подтверждение пароля").blur();
    },
  },
  {
    name: "recover-password",
    open: async (page) => {
      await page.goto("/recover-password");
      await page.getByRole("button", { name: "Отправить ссылку" }).click();
      await page.getByText("Email обязателен").waitFor();
    },
  },
  {
    name: "recover-password-sent",
    open: async (page) => {
      await page.goto("/recover-password");
      await field(page, "Email").fill("nobody@example.com");
      await page.getByRole("button", { name: "Отправить ссылку" }).click();
      await page.getByRole("heading", { name: "Проверьте почту" }).waitFor();
    },
  },
  {
    name: "reset-password",
    open: async (page) => {
      await page.goto("/reset-password?token=a.b.c");
      await page.getByRole("button", { name: "Сохранить пароль" }).waitFor();
    },
  },
  {
    name: "reset-password-dead",
    open: async (page) => {
      await page.goto("/reset-password");
      await page.getByRole("heading", { name: "Ссылка не работает" }).waitFor();
    },
  },
  {
    name: "undo-email-change",
    open: async (page) => {
      await page.goto("/undo-email-change?token=a.b.c");
      await page.getByRole("button", { name: "Вернуть прежний адрес" }).waitFor();
    },
  },
  {
    name: "settings",
    viewer: "learner",
    open: async (page) => {
      await page.goto("/settings");
      await page.getByRole("list", { name: "Сеансы" }).waitFor();
    },
  },
  {
    name: "settings-errors",
    viewer: "learner",
    open: async (page) => {
      await page.goto("/settings");
      await page.getByRole("button", { name: "Сменить пароль" }).click();
      await page.getByText("Подтверждение пароля обязательно").waitFor();
    },
  },
  {
    name: "settings-delete",
    viewer: "learner",
    open: async (page) => {
      await page.goto("/settings");
      await page.getByRole("button", { name: "Удалить аккаунт…" }).click();
      await page.getByLabel(/Чтобы продолжить, введите/).waitFor();
    },
  },
  {
    name: "calendar-empty",
    viewer: "newcomer",
    open: async (page) => {
      await page.goto("/calendar");
      await page.getByRole("heading", { name: "Впереди ничего нет" }).waitFor();
    },
  },
  {
    name: "items-empty",
    viewer: "newcomer",
    open: async (page) => {
      await page.goto("/items");
      await page.getByRole("heading", { name: "Здесь пока пусто" }).waitFor();
    },
  },
  {
    name: "items",
    viewer: "superuser",
    open: async (page, { server, learner }) => {
      await createItems(server, learner.token);
      await page.goto("/items");
      await page.getByRole("list", { name: "Элементы" }).waitFor();
    },
  },
  {
    name: "items-create",
    viewer: "newcomer",
    open: async (page) => {
      await page.goto("/items");
      await page.getByRole("button", { name: "Добавить элемент" }).click();
      await page.getByRole("button", { name: "Добавить", exact: true }).click();
      await page.getByText("Введите название").waitFor();
    },
  },
  {
    name: "admin-users",
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/admin");
      await page.getByRole("list", { name: "Пользователи" }).waitFor();
    },
  },
  {
    name: "admin-user",
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/admin");
      await page.getByRole("button", { name: "Создать аккаунт" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Создать аккаунт" }).click();
      await page.getByText("Email обязателен").waitFor();
    },
  },
  {
    name: "admin-delete-user",
    viewer: "superuser",
    open: async (page, { learner }) => {
      await page.goto(`/admin?search=${learner.email}`);
      await page.getByRole("button", { name: `Действия с аккаунтом: ${learner.fullName}` }).click();
      await page.getByRole("menuitem", { name: "Удалить" }).click();
      await page.getByLabel(/Чтобы продолжить, введите/).waitFor();
    },
  },
  {
    name: "admin-courses",
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/admin?tab=courses");
      await page.getByRole("list", { name: "Курсы" }).waitFor();
    },
  },
  {
    name: "admin-audit",
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/admin?tab=audit");
      await page.getByRole("list", { name: "Что было сделано" }).waitFor();
    },
  },
  {
    name: "admin-system",
    viewer: "superuser",
    open: async (page) => {
      await page.goto("/admin?tab=system");
      await page.getByText("Отвечает").waitFor();
    },
  },
  {
    name: "admin-not-for-learners",
    viewer: "learner",
    open: async (page) => {
      await page.goto("/admin");
      await page.getByRole("heading", { name: "Упс!" }).waitFor();
    },
  },
  {
    name: "leave-course",
    viewer: "learner",
    open: async (page, { course }) => {
      await page.goto(`/view-course/${course.course_id}`);
      await page.getByRole("button", { name: "Покинуть курс…" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
];

/** Creates some items unless there are any. */
async function createItems(server: Server, token: string): Promise<void> {
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
