import type { Page } from "@playwright/test";
import type { Server } from "../../scripts/server.mjs";
import { beginQuestion, createBank, opener, physics } from "./banks.ts";
import type { Form, World } from "./grade-forms.ts";
import { field } from "./ui.ts";

const toHome = (page: Page) => page.getByRole("link", { name: "Kurso" }).first().click();

/** Opens the bank of the author, and creates it first if there is none. */
async function openOwnBank(page: Page, { author }: World) {
  await page.goto("/banks");
  const link = page.getByRole("link", { name: "Физика", exact: true });
  const empty = page.getByRole("heading", { name: "Банков пока нет" });
  await empty.or(link).waitFor();
  if (await empty.isVisible()) {
    const server = { url: new URL(page.url()).origin } as Server;
    await createBank(server, author, "Физика", physics);
    await page.reload();
  }
  await link.click();
  await page.getByRole("button", { name: "Добавить вопрос" }).waitFor();
}

/** Whether this device has an unsaved question, which opens by itself. */
const hasDraft = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("bank-draft:")));

/** The forms of question banks, for e2e/forms.e2e.ts. */
export const bankForms = {
  "bank-new-question": {
    open: async (page, world) => {
      await openOwnBank(page, world);
      if (!(await hasDraft(page))) await beginQuestion(page, "Число");
    },
    field: (page) => field(page, "Верное число"),
    typed: "42",
    leave: toHome,
  },
  "bank-question": {
    open: async (page, world) => {
      await openOwnBank(page, world);
      if (!(await hasDraft(page))) await opener(page, "С каким ускорением").click();
    },
    field: (page) => field(page, "Верное число"),
    typed: "9,81",
    leave: toHome,
  },
  "bank-share": {
    open: async (page, world) => {
      await openOwnBank(page, world);
      await page.getByRole("button", { name: "Доступ", exact: true }).click();
    },
    field: (page) => field(page, "Email коллеги"),
    typed: "vera@example.com",
  },
  "bank-title": {
    open: async (page) => {
      await page.goto("/banks");
      await page.getByRole("button", { name: "Создать банк" }).click();
    },
    field: (page) => page.getByRole("dialog").getByRole("textbox"),
    typed: "Механика, 9 класс",
  },
} satisfies Record<string, Form>;
