import { fitted } from "./answers";
import type { Answer, Answers, Question } from "./model";

/** A hash of each question's text when it was answered, by question id. */
export type Prints = Readonly<Record<string, string>>;

/** The effect of an author's change on an attempt in progress. */
export interface Changes {
  /** Ids of questions whose text changed. */
  changed: string[];
  added: string[];
  /** Number of removed questions. */
  removed: number;
}

/**
 * Hashes the questions as the learner reads them, without the order of their parts, which depends on the attempt, and without their hints, which
 * ask nothing. Answers may have been kept before there were some of the fields, so a field that says nothing is left out.
 */
export function printsOf(questions: readonly Question[]): Prints {
  return Object.fromEntries(questions.map((question) => [question.id, print(question)]));
}

/** Fields that questions did not always have. */
const LATER: ReadonlySet<string> = new Set(["allOrNothing", "units"]);

function print(question: Question): string {
  const sorted = (parts: readonly { id: string }[]) =>
    [...parts].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const shown = Object.fromEntries(
    Object.entries(question).flatMap(([key, value]) => {
      const saysNothing = LATER.has(key) && (!value || (Array.isArray(value) && value.length === 0));
      if (key === "hints" || saysNothing) return [];
      return [[key, key !== "blanks" && Array.isArray(value) ? sorted(value) : value]];
    }),
  );
  return hash(JSON.stringify(shown));
}

/** The 53-bit hash cyrb53, sufficient to detect a change. */
function hash(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** Null when the questions read the same. */
export function changesSince(before: Prints, questions: readonly Question[]): Changes | null {
  const now = printsOf(questions);
  const changed = Object.keys(now).filter((id) => id in before && before[id] !== now[id]);
  const added = Object.keys(now).filter((id) => !(id in before));
  const removed = Object.keys(before).filter((id) => !(id in now)).length;
  return changed.length + added.length + removed > 0 ? { changed, added, removed } : null;
}

/** The answers that still fit the questions. */
export function keptAnswers(questions: readonly Question[], answers: Answers): Answers {
  return Object.fromEntries(
    questions.flatMap((question): [string, Answer][] => {
      const answer = fitted(question, answers[question.id]);
      return answer ? [[question.id, answer]] : [];
    }),
  );
}
