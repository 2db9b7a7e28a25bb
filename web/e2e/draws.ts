import type { Page } from "@playwright/test";
import type { Server } from "../../scripts/server.mjs";
import type { Account } from "./api.ts";
import { addQuestions, changeQuestion, createBank, type StoredQuestion } from "./banks.ts";
import { type Classroom, changeQuiz, createClassroom } from "./classroom.ts";

/** Tests create question banks, and quizzes that draw from them, with these functions. */

type BankQuestion = Pick<StoredQuestion, "id" | "version">;

export interface Bank {
  id: string;
  questions: BankQuestion[];
}

/** The prompts of four questions whose answer is «да». */
export const prompts = ["Земля круглая?", "Вода мокрая?", "Снег белый?", "Огонь горячий?"];

/** A question with a short answer, which is «да». */
export const yes = (prompt: string) => ({ type: "short_text", prompt, accepted: ["да"] });

/** Creates a bank of questions whose answer is «да», by their prompts. Each question has all the tags. */
export async function createYesBank(
  server: Server,
  owner: Pick<Account, "token">,
  title: string,
  prompts: readonly string[],
  tags: string[] = [],
): Promise<Bank> {
  const id = await createBank(server, owner, title);
  const questions = prompts.map((prompt) => ({ question: yes(prompt), tags }));
  return { id, questions: await addQuestions(server, owner, id, questions) };
}

/** Replaces a question in its bank by one with another prompt, whose answer is «да». */
export async function changeInBank(
  { server, owner }: Classroom,
  question: BankQuestion,
  prompt: string,
): Promise<void> {
  await changeQuestion(server, owner, { ...question, question: yes(prompt) }, {});
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
  const bank = await createYesBank(server, classroom.owner, "Очевидное", prompts, ["природа"]);
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
