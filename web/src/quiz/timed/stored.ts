import { isNode } from "../../content/model";
import { sameContent } from "../../editor/stored";
import { fromGiven, toInput } from "../answers";
import { keptAnswers } from "../changes";
import type { Answer, Answers, GivenAnswer, Question } from "../model";
import type { AttemptState } from "./attemptState";

/** What changes in the state of an attempt when the answers are read that the server keeps. */
export function takeStored(
  { answers, queue, phase, revisions }: AttemptState,
  questions: readonly Question[],
  stored: readonly GivenAnswer[],
): Partial<AttemptState> {
  if (phase !== "answering" && phase !== "submitting") return { isComparing: false };
  const next = withStored(questions, answers, queue.unsent, stored);
  const replaced = questions.filter(({ id }) => next[id] !== answers[id]);
  const raised = replaced.map(({ id }) => [id, (revisions[id] ?? 0) + 1]);
  return {
    answers: next,
    isComparing: false,
    revisions: { ...revisions, ...Object.fromEntries(raised) },
  };
}

/**
 * The answers as the server keeps them, with those of this device that are still unsent. An answer that means the same stays as it was typed:
 * the server stores «1,5» as «1.5», and no unit without its number.
 */
export function withStored(
  questions: readonly Question[],
  mine: Answers,
  unsent: Readonly<Record<string, unknown>>,
  stored: readonly GivenAnswer[],
): Answers {
  const theirs = keptAnswers(
    questions,
    Object.fromEntries(stored.map((one) => [one.questionId, fromGiven(one)])),
  );
  return Object.fromEntries(
    questions.flatMap((question): [string, Answer][] => {
      const own = mine[question.id];
      const other = theirs[question.id];
      const shown = question.id in unsent || isSame(question, own, other) ? own : other;
      return shown ? [[question.id, shown]] : [];
    }),
  );
}

/** Whether both answers mean the same. */
export function isSame(question: Question, one: Answer | undefined, other: Answer | undefined): boolean {
  if (isNode(one?.content) && isNode(other?.content)) return sameContent(one.content, other.content);
  return meaningOf(question, one) === meaningOf(question, other);
}

function meaningOf(question: Question, answer: Answer | undefined): string {
  const [input] = toInput([question], answer ? { [question.id]: answer } : {});
  if (!input) return "";
  const { number, optionIds, pairs, blanks, text } = input;
  const meaning = {
    ...input,
    // Their order has no meaning.
    optionIds: optionIds && [...optionIds].sort(),
    pairs: pairs && sorted(pairs),
    blanks: blanks && sorted(blanks),
    text: text?.trim(),
    number: number && Number(number.replace(/\s/g, "").replace(",", ".").replace(/[−]/g, "-")),
  };
  return JSON.stringify(meaning);
}

const sorted = (list: readonly object[]) =>
  list.map((one) => JSON.stringify(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))).sort();
