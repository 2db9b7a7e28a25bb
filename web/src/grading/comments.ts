/**
 * A grader's latest comments on a question, each reusable with one key. They are stored on this device only, because they are personal.
 */
const PREFIX = "grading-comments:";
/** Maximum number of comments per question: one per key. */
export const MAX_COMMENTS = 9;
/** Limit on questions with stored comments; those used least recently are deleted. */
const KEPT = 100;

interface Stored {
  comments: string[];
  usedAt: number;
}

const keyOf = (userId: string, questionId: string) => `${PREFIX}${userId}:${questionId}`;

/** Most recent first. */
export function recentComments(userId: string, questionId: string): readonly string[] {
  return read(keyOf(userId, questionId))?.comments ?? [];
}

/** Adds a comment at the front; returns the updated comments. */
export function rememberComment(userId: string, questionId: string, comment: string): readonly string[] {
  const text = comment.trim();
  const before = recentComments(userId, questionId);
  if (text === "") return before;
  const comments = [text, ...before.filter((one) => one !== text)].slice(0, MAX_COMMENTS);
  try {
    const stored: Stored = { comments, usedAt: Date.now() };
    localStorage.setItem(keyOf(userId, questionId), JSON.stringify(stored));
    forgetOldest();
  } catch {
    // Without storage, comments last until the screen is closed.
  }
  return comments;
}

function forgetOldest() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  if (keys.length <= KEPT) return;
  const ages = keys
    .map((key) => ({ key, usedAt: read(key)?.usedAt ?? 0 }))
    .sort((a, b) => a.usedAt - b.usedAt);
  for (const { key } of ages.slice(0, keys.length - KEPT)) localStorage.removeItem(key);
}

function read(key: string): Stored | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (typeof stored !== "object" || stored === null) return null;
    const { comments, usedAt } = stored as Partial<Stored>;
    if (!Array.isArray(comments)) return null;
    return {
      comments: comments.filter((one) => typeof one === "string"),
      usedAt: typeof usedAt === "number" ? usedAt : 0,
    };
  } catch {
    return null;
  }
}
