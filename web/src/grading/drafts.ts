import type { Pin } from "../quiz/pins/pins";
import { forgetJson, forgetOldest, isObject, type JsonObject, keepJson, readJson } from "../ui/localJson";
import type { Choice } from "./marks";

/**
 * A grader's assessment that is not stored yet. It is kept on this device, so that neither a closed tab nor a crash loses what was written
 * about an answer.
 */
const PREFIX = "grading-draft:";
/** Limit on kept drafts; the oldest are deleted. */
const KEPT = 50;

/** What a grader types about an answer. */
export interface Assessing {
  points: string;
  comment: string;
  choices: Choice[];
  pins: Pin[];
}

interface Draft {
  /** The version of the answer that the assessment is based on. */
  version: number;
  values: Assessing;
}

interface Answer {
  attemptId: string;
  questionId: string;
}

const keyOf = (userId: string, { attemptId, questionId }: Answer) =>
  `${PREFIX}${userId}:${attemptId}:${questionId}`;

/** Without storage, the question before leaving remains. */
export function keepDraft(userId: string, answer: Answer, draft: Draft): void {
  keepJson(keyOf(userId, answer), { ...draft, savedAt: Date.now() });
  forgetOldest(PREFIX, KEPT, "savedAt");
}

export function dropDraft(userId: string, answer: Answer): void {
  forgetJson(keyOf(userId, answer));
}

/** Reads a draft; null without one, and for one that cannot be read. */
export function readDraft(userId: string, answer: Answer): Draft | null {
  const stored = objectOf(readJson(keyOf(userId, answer)));
  const values = objectOf(stored?.values);
  if (typeof stored?.version !== "number" || !values) return null;
  const { points, comment, choices, pins } = values;
  return {
    version: stored.version,
    values: {
      points: textOf(points),
      comment: textOf(comment),
      choices: objects(choices).flatMap(({ criterionId, levelId, comment }) =>
        typeof criterionId === "string"
          ? { criterionId, levelId: typeof levelId === "string" ? levelId : null, comment: textOf(comment) }
          : [],
      ),
      pins: objects(pins).map(({ start, end, fileId, x, y, comment }) => ({
        start: numberOf(start),
        end: numberOf(end),
        fileId: typeof fileId === "string" ? fileId : null,
        x: numberOf(x),
        y: numberOf(y),
        comment: textOf(comment),
      })),
    },
  };
}

const objectOf = (value: unknown): JsonObject | null => (isObject(value) ? value : null);
const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);
