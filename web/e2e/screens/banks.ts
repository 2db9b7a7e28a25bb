import type { Page } from "@playwright/test";
import { type Account, signUp } from "../api.ts";
import {
  addQuestions,
  beginQuestion,
  changeQuestion,
  createBank,
  opener,
  physics,
  shareBank,
  storedQuestions,
} from "../banks.ts";
import type { SampleData, Screen } from "../sample-data.ts";
import { field } from "../ui.ts";
import { blockOperation, openAs } from "./class.ts";

interface Banks {
  owner: Account;
  viewer: Account;
  /** A bank with questions of several kinds. */
  bankId: string;
  emptyId: string;
}

const created = new WeakMap<SampleData, Promise<Banks>>();

/** Three banks that a teacher can use, one of them shared by a colleague. Created once per server. */
function getBanks(sample: SampleData): Promise<Banks> {
  const data = created.get(sample) ?? createBanks(sample);
  created.set(sample, data);
  return data;
}

async function createBanks({ server }: SampleData): Promise<Banks> {
  const owner = await signUp(server, "Соколова Вера Павловна");
  const viewer = await signUp(server, "Орлов Никита Романович");
  const colleague = await signUp(server, "Жукова Мария Олеговна");
  const bankId = await createBank(server, owner, "Физика, 9 класс", physics);
  const shared = await createBank(server, colleague, "Олимпиадные задачи", physics.slice(0, 3));
  const emptyId = await createBank(server, owner, "Информатика: алгоритмы");
  await addQuestions(server, owner, bankId, [
    {
      question: {
        type: "multiple_choice",
        prompt: "Какие величины векторные?",
        points: 2,
        options: [
          { content: "сила", correct: true },
          { content: "масса" },
          { content: "скорость", correct: true },
          { content: "температура" },
        ],
      },
      tags: ["механика", "трудно"],
    },
  ]);
  await shareBank(server, colleague, shared, owner, "VIEWER");
  await shareBank(server, owner, bankId, viewer, "VIEWER");
  await shareBank(server, owner, bankId, colleague, "EDITOR");
  return { owner, viewer, bankId, emptyId };
}

async function open(page: Page, sample: SampleData): Promise<Banks> {
  const banks = await getBanks(sample);
  await openAs(page, banks.owner, `/banks/${banks.bankId}`);
  await opener(page, "В каких единицах").waitFor();
  return banks;
}

/** Question banks: the list, a bank with its questions, its dialogs, and a bank for viewers. */
export const banks: Screen[] = [
  {
    name: "banks-empty",
    viewer: "newcomer",
    open: async (page) => {
      await page.goto("/banks");
      await page.getByRole("heading", { name: "Банков пока нет" }).waitFor();
    },
  },
  {
    name: "banks",
    open: async (page, sample) => {
      const { owner } = await getBanks(sample);
      await openAs(page, owner, "/banks");
      await page.getByRole("list", { name: "Доступны мне" }).waitFor();
    },
  },
  {
    name: "bank",
    open: async (page, sample) => {
      await open(page, sample);
    },
  },
  {
    name: "bank-empty",
    open: async (page, sample) => {
      const { owner, emptyId } = await getBanks(sample);
      await openAs(page, owner, `/banks/${emptyId}`);
      await page.getByRole("heading", { name: "В банке пока нет вопросов" }).waitFor();
    },
  },
  {
    name: "bank-nothing-found",
    open: async (page, sample) => {
      const { owner, bankId } = await getBanks(sample);
      await openAs(page, owner, `/banks/${bankId}?search=керамика`);
      await page.getByRole("heading", { name: "Таких вопросов нет" }).waitFor();
    },
  },
  {
    name: "bank-question",
    open: async (page, sample) => {
      await open(page, sample);
      await opener(page, "Какие величины").click();
      await field(page, "Баллы").waitFor();
    },
  },
  {
    name: "bank-new-question",
    open: async (page, sample) => {
      await open(page, sample);
      await beginQuestion(page, "Один вариант");
    },
  },
  {
    name: "bank-selection",
    open: async (page, sample) => {
      await open(page, sample);
      await page.getByRole("checkbox", { name: /^Выбрать: В каких единицах/ }).check();
      await page.getByRole("checkbox", { name: /^Выбрать: Кто открыл/ }).check();
    },
  },
  {
    name: "bank-add-tags",
    open: async (page, sample) => {
      await open(page, sample);
      await page.getByRole("checkbox", { name: /^Выбрать: В каких единицах/ }).check();
      await page.getByRole("button", { name: "Добавить теги" }).click();
      await page.getByRole("dialog").getByRole("combobox").fill("мех");
      await page.getByRole("option", { name: "механика" }).waitFor();
    },
  },
  {
    name: "bank-sharing",
    open: async (page, sample) => {
      await open(page, sample);
      // On a phone, only the menu leads to the dialog.
      await page.getByRole("button", { name: "Действия с банком «Физика, 9 класс»" }).click();
      await page.getByRole("menuitem", { name: "Доступ…" }).click();
      await page.getByText("Орлов Никита Романович").waitFor();
    },
  },
  {
    name: "bank-viewer",
    open: async (page, sample) => {
      const { viewer, bankId } = await getBanks(sample);
      await openAs(page, viewer, `/banks/${bankId}`);
      await opener(page, "Какие величины").click();
      await page.getByText("Верно").first().waitFor();
    },
  },
  {
    name: "bank-delete",
    open: async (page, sample) => {
      const { owner } = await getBanks(sample);
      await openAs(page, owner, "/banks");
      await page.getByRole("button", { name: "Действия с банком «Физика, 9 класс»" }).click();
      await page.getByRole("menuitem", { name: "Удалить…" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
];

/** States of a bank that other tests check with axe. */
export const banksStates: Screen[] = [
  {
    name: "bank-loading",
    open: async (page, sample) => {
      const { owner, bankId } = await getBanks(sample);
      await blockOperation(page, "BankQuestions");
      await openAs(page, owner, `/banks/${bankId}`);
      await page.getByRole("status", { name: "Загрузка" }).first().waitFor();
    },
  },
  {
    name: "bank-conflict",
    open: async (page, sample) => {
      const { owner, bankId } = await open(page, sample);
      await opener(page, "С каким ускорением").click();
      await field(page, "Баллы").fill("2");
      const stored = await storedQuestions(sample.server, owner, bankId);
      const question = stored.find(({ kind, isComplete }) => kind === "numeric" && isComplete);
      if (question) await changeQuestion(sample.server, owner, question, { value: 9.81 });
      await page.getByRole("button", { name: "Сохранить", exact: true }).click();
      await page.getByRole("button", { name: "Сравнить" }).click();
      await page.getByRole("region", { name: "Сохранённая версия" }).waitFor();
    },
  },
];
