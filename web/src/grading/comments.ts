import { forgetOldest, isObject, keepJson, readJson } from "../ui/localJson";

/**
 * A grader's latest comments on a question, each reusable with one key. They are stored on this device only, because they are personal.
 */
const PREFIX = "grading-comments:";
/** Maximum number of comments per question: one per key. */
export const MAX_COMMENTS = 9;
/** Limit on questions with stored comments; those used least recently are deleted. */
const KEPT = 100;

const keyOf = (userId: string, questionId: string) => `${PREFIX}${userId}:${questionId}`;

/** Most recent first. */
export function recentComments(userId: string, questionId: string): readonly string[] {
  const stored = readJson(keyOf(userId, questionId));
  const comments: unknown = isObject(stored) ? stored.comments : null;
  return Array.isArray(comments) ? comments.filter((one) => typeof one === "string") : [];
}

/** Adds a comment at the front; returns the updated comments. */
export function rememberComment(userId: string, questionId: string, comment: string): readonly string[] {
  const text = comment.trim();
  const before = recentComments(userId, questionId);
  if (text === "") return before;
  const comments = [text, ...before.filter((one) => one !== text)].slice(0, MAX_COMMENTS);
  // Without storage, comments last until the screen is closed.
  keepJson(keyOf(userId, questionId), { comments, usedAt: Date.now() });
  forgetOldest(PREFIX, KEPT, "usedAt");
  return comments;
}
