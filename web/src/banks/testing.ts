import { type AuthorQuestion, documentOf, newQuestion } from "../quiz-builder/model";
import type { Answers } from "../testing/renderApp";
import type { Bank_BankFragment } from "./Bank.generated";
import type { BankQuestion } from "./bank";

const me = { __typename: "User", id: "u1", email: "anna@example.com", fullName: "Анна", isSuperuser: false };
const anna = { __typename: "PersonName" as const, id: "u1", fullName: "Анна" };

export function aBank(more: Partial<Bank_BankFragment> = {}): Bank_BankFragment {
  return {
    __typename: "Bank",
    id: "b1",
    title: "Механика",
    role: "OWNER",
    owner: anna,
    questionsCount: 2,
    pagesCount: 0,
    updatedAt: "2026-11-01T10:00:00Z",
    tags: [
      { __typename: "BankTag", name: "легко", count: 1, drawable: 1 },
      { __typename: "BankTag", name: "трение", count: 2, drawable: 1 },
    ],
    ...more,
  } as Bank_BankFragment;
}

/** A question with a short answer. */
export function aQuestion(id: string, text: string, more: Partial<BankQuestion> = {}): BankQuestion {
  const question = {
    ...newQuestion("short_text"),
    id,
    prompt: documentOf(text),
    accepted: ["да"],
  } as AuthorQuestion;
  return {
    __typename: "BankQuestion",
    id,
    bankId: "b1",
    version: 1,
    kind: "short_text",
    question,
    tags: ["трение"],
    isComplete: true,
    changedAt: "2026-11-01T10:00:00Z",
    changedBy: anna,
    ...more,
  } as BankQuestion;
}

/** The responses of a server with one bank; `over` replaces some. */
export function bankAnswers(bank: Bank_BankFragment, questions: BankQuestion[], over: Answers = {}): Answers {
  return {
    Me: () => ({ me }),
    Banks: () => ({ banks: [bank] }),
    Bank: () => ({ bank }),
    BankQuestions: () => ({
      bank: {
        __typename: "Bank",
        id: bank.id,
        questions: { __typename: "BankQuestionList", total: questions.length, questions },
      },
    }),
    DrawableQuestions: ({ id, tags }) => ({
      bank: {
        __typename: "Bank",
        id,
        questions: { __typename: "BankQuestionList", drawable: (tags as string[] | null)?.length ? 1 : 2 },
      },
    }),
    ...over,
  };
}

/** Matches a whole text, whose spaces may be non-breaking. */
export const whole = (text: string): RegExp =>
  new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s")}$`);

/** The text of an element with plain spaces. */
export const plainText = (element: Element | null | undefined): string =>
  (element?.textContent ?? "").replaceAll("\u00a0", " ");
