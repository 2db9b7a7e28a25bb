import type { TFunction } from "i18next";
import type { CourseRole, DiscussionFilter } from "../api/schema.generated";
import { type ContentNode, isNode } from "../content/model";
import { sameContent } from "../editor/stored";
import type { DiscussionPartsFragment, DiscussionQuery, PostPartsFragment } from "./Discussions.generated";
import { isStaff } from "./roles";

export type Discussion = DiscussionPartsFragment;
export type Post = PostPartsFragment;
export type Rules = NonNullable<DiscussionQuery["discussion"]["page"]["discussionRules"]>;

/** What a question is about: a block of the text by its index, and its words. Null for the whole page. */
export interface Place {
  block: number;
  quote: string;
  /** The version of the text in which the block has this index; without it, the one that is on the screen. */
  version?: number | undefined;
}

/** The asker and the staff resolve a question and accept an answer. */
export const mayResolve = ({ question }: Discussion, role: CourseRole): boolean =>
  isStaff(role) || question.isMine;

/** Whether the user may write in the discussion now. */
export const mayReply = (
  { isLocked, question }: Discussion,
  role: CourseRole,
  rules: Rules | null,
): boolean => rules?.isOn === true && (isStaff(role) || (!isLocked && question.hiddenAt === null));

/** Deleted and hidden posts are not marked, and neither are one's own. */
export const mayMark = ({ isMine, body, hiddenAt }: Post): boolean =>
  !isMine && body !== null && hiddenAt === null;

/** Whether the user asked anonymously, and so answers anonymously, too. */
export const staysAnonymous = ({ question }: Discussion): boolean => question.isMine && question.isAnonymous;

/** The name of who wrote a post, for its readers. */
export function authorOf({ author, isAnonymous }: Post, t: TFunction): string {
  if (author) return author.fullName || t("discussions.nameless");
  return t(isAnonymous ? "discussions.anonymous" : "discussions.gone");
}

/** The words of a document in one line, formulas as their source. */
export function wordsOf(body: unknown): string {
  const words: string[] = [];
  const visit = (node: unknown) => {
    if (!isNode(node)) return;
    if (typeof node.text === "string") words.push(node.text);
    else if (typeof node.attrs?.latex === "string") words.push(node.attrs.latex);
    else if (node.type === "hardBreak") words.push(" ");
    for (const child of node.content ?? []) visit(child);
    if (!INLINE.has(node.type)) words.push(" ");
  };
  visit(body);
  return words.join("").replace(/\s+/g, " ").trim();
}

/** The words of a document, each of its blocks in a paragraph of its own. */
export const linesOf = (body: unknown): string =>
  (isNode(body) ? (body.content ?? []) : []).map(wordsOf).filter(Boolean).join("\n\n");

const INLINE = new Set(["text", "inlineMath", "hardBreak"]);

/** Whether a document has nothing that could be sent. */
export function isEmptyPost(body: unknown): boolean {
  return wordsOf(body) === "" && !JSON.stringify(body ?? null).includes('"type":"image"');
}

/** Whether two documents are equivalent; a deleted text is like none. */
export const isSameText = (one: unknown, other: unknown): boolean =>
  isNode(one) && isNode(other) && sameContent(one as ContentNode, other as ContentNode);

/** Whether a list with this filter of those that a page has shows the discussion. */
export function matches({ resolvedAt, hasWritten }: Discussion, filter: DiscussionFilter): boolean {
  if (filter === "OPEN") return resolvedAt === null;
  if (filter === "RESOLVED") return resolvedAt !== null;
  return filter !== "MINE" || hasWritten;
}

/**
 * The order of a list that is being read: what is known keeps its place, so that nothing moves under the reader, and what is new comes first,
 * below what is pinned.
 */
export function steadyOrder<T extends { id: string; isPinned: boolean }>(
  known: readonly string[],
  now: readonly T[],
): T[] {
  const rank = new Map(known.map((id, at) => [id, at]));
  const place = ({ id }: T) => rank.get(id) ?? -1;
  return [...now]
    .map((one, at) => ({ one, at }))
    .sort(
      (a, b) => Number(b.one.isPinned) - Number(a.one.isPinned) || place(a.one) - place(b.one) || a.at - b.at,
    )
    .map(({ one }) => one);
}
