import type { PinnedCommentInput } from "../api/schema.generated";
import { numbered, type Pin } from "../quiz/pins/pins";

/** The most pinned comments of an answer. */
export const PINS_MAX = 100;

/** The pins without what the server adds to them, so that they compare with edited ones. */
export const editablePins = (pins: readonly Pin[]): Pin[] =>
  pins.map(({ start, end, fileId, x, y, comment }) => ({ start, end, fileId, x, y, comment }));

/** The pins to store: those with a comment, in the order of their places. Undefined without any. */
export function pinsInput(
  pins: readonly Pin[],
  fileIds: readonly string[],
): PinnedCommentInput[] | undefined {
  const written = pins.filter(({ comment }) => comment.trim() !== "");
  if (written.length === 0) return undefined;
  return numbered(written, fileIds).map(({ pin: { start, end, fileId, x, y, comment } }) =>
    fileId === null ? { start, end, comment: comment.trim() } : { fileId, x, y, comment: comment.trim() },
  );
}
