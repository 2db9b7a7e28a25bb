/** A session of practice, as pure rules. */
import type { Answer, Result } from "../quiz/model";
import type { PracticeQuery } from "./Practice.generated";

export type Card = PracticeQuery["practice"]["questions"][number];

/** After so much time, a session ends unless the user goes on. In milliseconds. */
export const DAILY = 5 * 60_000;
/** A question counts at most this long: the user may be away. In milliseconds. */
const LONGEST = 90_000;

export interface Practised {
  answer: Answer;
  result: Result;
  /** When the question comes again; ISO 8601. */
  dueAt: string;
}

export interface Session {
  cards: readonly Card[];
  /** The index of the shown card; `cards.length` at the end. */
  at: number;
  practised: Readonly<Record<string, Practised>>;
  /** How long the user has practised, in milliseconds. */
  spent: number;
  /** Whether the user goes on after the daily time. */
  goesOn: boolean;
}

export function begun(cards: readonly Card[]): Session {
  return { cards, at: 0, practised: {}, spent: 0, goesOn: false };
}

/** What is shown: a question, the break after the daily time, or the end. */
export function stageOf(session: Session): "question" | "break" | "end" {
  if (session.at >= session.cards.length) return "end";
  return session.spent >= DAILY && !session.goesOn && session.at > 0 ? "break" : "question";
}

/** The session after a card, which took `time` milliseconds. Unchanged if another card is shown: the second click of a double click. */
export function advanced(session: Session, id: string, time: number): Session {
  if (session.cards[session.at]?.id !== id) return session;
  return { ...session, at: session.at + 1, spent: session.spent + Math.min(Math.max(time, 0), LONGEST) };
}

/** The number of answered cards, and of those answered right. */
export function tally({ practised }: Session): { done: number; right: number } {
  const results = Object.values(practised);
  return { done: results.length, right: results.filter(({ result }) => result.correct).length };
}

/** Whether leaving would lose typed text. */
export function hasTyped(answer: Answer | undefined): boolean {
  if (!answer) return false;
  const blanks = Object.values(answer.blanks ?? {}).map((filling) => ("text" in filling ? filling.text : ""));
  return [answer.text ?? "", answer.number ?? "", ...blanks].some((text) => text.trim() !== "");
}
