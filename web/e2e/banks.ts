import type { Locator, Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import type { Account } from "./api.ts";
import { expect } from "./fixtures.ts";

/** Tests create, change and read question banks over the API with these functions. */

type Owner = Pick<Account, "token">;

export interface NewBankQuestion {
  question: object;
  tags?: string[];
}

const choice = (prompt: string, right: string, ...wrong: string[]) => ({
  type: "single_choice",
  prompt,
  options: [{ content: right, correct: true }, ...wrong.map((content) => ({ content }))],
});

/** Questions of school physics, of several kinds; the last one is incomplete. */
export const physics: NewBankQuestion[] = [
  {
    question: choice("В каких единицах измеряют силу?", "в ньютонах", "в джоулях", "в ваттах"),
    tags: ["механика", "легко"],
  },
  {
    question: {
      type: "numeric",
      prompt: "С каким ускорением падает камень, если сопротивления воздуха нет? Ответ дайте в м/с².",
      value: 9.8,
      tolerance: 0.1,
      explanation: "Вблизи поверхности Земли ускорение свободного падения почти одинаково.",
    },
    tags: ["механика"],
  },
  {
    question: { type: "short_text", prompt: "Кто открыл закон всемирного тяготения?", accepted: ["Ньютон"] },
    tags: ["история", "легко"],
  },
  {
    question: {
      type: "matching",
      prompt: "Какой прибор что измеряет?",
      pairs: [
        { left: "амперметр", right: "силу тока" },
        { left: "вольтметр", right: "напряжение" },
        { left: "манометр", right: "давление" },
      ],
    },
    tags: ["приборы"],
  },
  { question: { type: "essay", prompt: "Почему небо синее?" }, tags: ["оптика", "трудно"] },
  { question: { type: "numeric", prompt: "Сколько километров в световом годе?" }, tags: ["оптика"] },
];

/** Creates a bank with questions. Returns its ID. */
export async function createBank(
  server: Server,
  owner: Owner,
  title: string,
  questions: NewBankQuestion[] = [],
): Promise<string> {
  const created = await graphql(
    server.url,
    owner.token,
    "mutation ($input: CreateBankInput!) { createBank(input: $input) { bank { id } } }",
    { input: { title } },
  );
  const bankId: string = created.createBank.bank.id;
  if (questions.length > 0) await addQuestions(server, owner, bankId, questions);
  return bankId;
}

/** Adds questions to a bank. Returns their IDs and versions. */
export async function addQuestions(
  server: Server,
  owner: Owner,
  bankId: string,
  questions: NewBankQuestion[],
): Promise<Pick<StoredQuestion, "id" | "version">[]> {
  const mutation =
    "mutation ($input: AddBankQuestionsInput!) { addBankQuestions(input: $input) { questions { id version } } }";
  const { addBankQuestions } = await graphql(server.url, owner.token, mutation, {
    input: { bankId, questions },
  });
  return addBankQuestions.questions;
}

export async function shareBank(
  server: Server,
  owner: Owner,
  bankId: string,
  colleague: Pick<Account, "email">,
  role: "EDITOR" | "VIEWER",
): Promise<void> {
  const mutation = "mutation ($input: ShareBankInput!) { shareBank(input: $input) { bank { id } } }";
  await graphql(server.url, owner.token, mutation, { input: { bankId, email: colleague.email, role } });
}

export interface StoredQuestion {
  id: string;
  version: number;
  kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read the fields of questions of every kind
  question: any;
  tags: string[];
  isComplete: boolean;
}

/** The questions of a bank, the newest first. */
export async function storedQuestions(
  server: Server,
  owner: Owner,
  bankId: string,
): Promise<StoredQuestion[]> {
  const query = `query ($id: ID!) { bank(id: $id) { questions(first: 100) {
    questions { id version kind question tags isComplete } } } }`;
  return (await graphql(server.url, owner.token, query, { id: bankId })).bank.questions.questions;
}

/** Changes a question as its author does in another session. */
export async function changeQuestion(
  server: Server,
  owner: Owner,
  { id, version, question }: Pick<StoredQuestion, "id" | "version" | "question">,
  changes: object,
): Promise<void> {
  const mutation =
    "mutation ($input: UpdateBankQuestionInput!) { updateBankQuestion(input: $input) { isConflict } }";
  const input = { questionId: id, version, question: { ...question, ...changes } };
  const { updateBankQuestion } = await graphql(server.url, owner.token, mutation, { input });
  expect(updateBankQuestion.isConflict).toBe(false);
}

/** The list of the questions on the screen of a bank. */
export const questionList = (page: Page): Locator => page.getByRole("list", { name: "Вопросы банка" });

/** The button that opens a question by the beginning of its text. */
export const opener = (page: Page, words: string): Locator =>
  questionList(page).getByRole("button", { name: new RegExp(`^${words}`) });

export async function openBank(page: Page, bankId: string): Promise<void> {
  await page.goto(`/banks/${bankId}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Begins a new question of the kind. */
export async function beginQuestion(page: Page, kind: string): Promise<void> {
  await page.getByRole("button", { name: "Добавить вопрос" }).click();
  await page.getByRole("menuitem", { name: kind, exact: true }).click();
  await expect(page.getByRole("heading", { name: `Новый вопрос: ${kind}` })).toBeVisible();
}
