import type { AnswerState } from "../api/schema.generated";
import type { GradingQueueQuery, OpenAnswerFragment } from "./Grading.generated";

export type Queue = GradingQueueQuery["gradingQueue"];
export type QueuedAnswer = Queue["answers"][number];
export type QueuedQuestion = Queue["questions"][number];
export type OpenAnswer = OpenAnswerFragment;
export type Assessment = OpenAnswer["history"][number];

/** The filter of the queue; null selects all. */
export interface Filters {
  pageId: string | null;
  questionId: string | null;
  groupId: string | null;
  state: AnswerState;
}

interface AnswerId {
  attemptId: string;
  questionId: string;
}

/** Formats an answer for the URL. */
export const answerKey = ({ attemptId, questionId }: AnswerId): string => `${attemptId}:${questionId}`;

/** Parses an answer from the URL; null for any other text. */
export function parseAnswerKey(key: string | undefined): AnswerId | null {
  const [attemptId, questionId, rest] = key?.split(":") ?? [];
  return attemptId && questionId && rest === undefined ? { attemptId, questionId } : null;
}

/** Formats a page, or a question of a page, for the URL. */
export const partKey = (pageId: string, questionId: string | null): string =>
  questionId === null ? pageId : `${pageId}:${questionId}`;

/** Parses the filter from the URL; a deleted part selects all questions. */
export function knownPart(
  part: string | undefined,
  questions: readonly QueuedQuestion[] | undefined,
): Pick<Filters, "pageId" | "questionId"> {
  const [pageId = null, questionId = null] = part?.split(":") ?? [];
  const isKnown =
    !questions ||
    questions.some((one) => one.pageId === pageId && (questionId === null || one.questionId === questionId));
  return isKnown ? { pageId, questionId } : { pageId: null, questionId: null };
}

/** Groups the questions by page, in order. */
export function pagesOf(questions: readonly QueuedQuestion[]): (readonly QueuedQuestion[])[] {
  const pages = new Map<string, QueuedQuestion[]>();
  for (const question of questions)
    pages.set(question.pageId, [...(pages.get(question.pageId) ?? []), question]);
  return [...pages.values()];
}

/** Returns the pages with unreleased points and their numbers of answers; only `pageId` unless it is null. */
export function unreleasedPages(questions: readonly QueuedQuestion[], pageId: string | null) {
  return pagesOf(questions).flatMap((ofPage) => {
    const [first] = ofPage;
    const count = ofPage.reduce((sum, { unreleased }) => sum + unreleased, 0);
    return first && count > 0 && (pageId === null || pageId === first.pageId)
      ? [{ pageId: first.pageId, title: first.pageTitle, count }]
      : [];
  });
}

/** Parses typed points: a number from 0 to the maximum with at most four decimals; null for anything else. */
export function parsePoints(typed: string, most: number): number | null {
  const text = typed.trim().replace(",", ".");
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(text)) return null;
  const points = Number(text);
  return points <= most ? points : null;
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Formats the time since an event in its largest unit: «сейчас», «29 минут назад», «вчера». */
export function ageOf(iso: string, now: Date, language: string): string {
  const seconds = Math.max(0, (now.getTime() - new Date(iso).getTime()) / 1000);
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? [
    "second",
    Number.POSITIVE_INFINITY,
  ];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(
    -Math.floor(seconds / length),
    unit,
  );
}
