import type { Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import type { Account } from "./api.ts";
import { type Classroom, changeQuiz, createClassroom } from "./classroom.ts";

/** Question banks and quizzes that draw from them. */

interface BankQuestion {
  id: string;
  version: number;
}

export interface Bank {
  id: string;
  questions: BankQuestion[];
}

/** The form of a short question with the answer «да», by the prompt. */
export const yes = (prompt: string) => ({ type: "short_text", prompt, accepted: ["да"] });

/** Creates a bank of short questions, by their prompts, which all have the tags. */
export async function createBank(
  server: Server,
  { token }: Pick<Account, "token">,
  title: string,
  prompts: readonly string[],
  tags: readonly string[] = [],
): Promise<Bank> {
  const call = (query: string, input: object) => graphql(server.url, token, query, { input });
  const { createBank } = await call(
    "mutation ($input: CreateBankInput!) { createBank(input: $input) { bank { id } } }",
    { title },
  );
  const { id } = createBank.bank;
  const { addBankQuestions } = await call(
    "mutation ($input: AddBankQuestionsInput!) { addBankQuestions(input: $input) { questions { id version } } }",
    { bankId: id, questions: prompts.map((prompt) => ({ question: yes(prompt), tags })) },
  );
  return { id, questions: addBankQuestions.questions };
}

/** Changes the prompt of a question in its bank. */
export async function changeInBank(
  { server, owner }: Classroom,
  { id, version }: BankQuestion,
  prompt: string,
): Promise<void> {
  const query = `mutation ($input: UpdateBankQuestionInput!) {
    updateBankQuestion(input: $input) { isConflict } }`;
  await graphql(server.url, owner.token, query, {
    input: { questionId: id, version, question: yes(prompt) },
  });
}

/** A quiz that draws questions of a bank. */
export const drawQuiz = (bankId: string, count: number, settings: object = {}) => ({
  pass_percent: 50,
  reveal: "after_submit",
  questions: [{ type: "draw", bank_id: bankId, tags: [], count, points: 2 }],
  ...settings,
});

/** A course whose quiz draws two of four questions. */
export async function createDrawClass(server: Server): Promise<Classroom & { bank: Bank }> {
  const classroom = await createClassroom(server);
  const prompts = ["Земля круглая?", "Вода мокрая?", "Снег белый?", "Огонь горячий?"];
  const bank = await createBank(server, classroom.owner, "Очевидное", prompts, ["природа"]);
  await changeQuiz(classroom, drawQuiz(bank.id, 2));
  return { ...classroom, bank };
}

/** The prompts of the questions on the screen. */
export async function shownPrompts(page: Page): Promise<string[]> {
  const shown = page.locator("[id^=prompt-]");
  await shown.first().waitFor();
  const prompts = await shown.allInnerTexts();
  return prompts.map((prompt) => prompt.trim());
}
