import { isFilledDocument } from "../content/filled";
import { type ContentNode, isNode } from "../content/model";
import { mergeBlocks } from "../editor/compare/mergeBlocks";
import { sameContent } from "../editor/stored";
import type { AnswerFile } from "../quiz/files";
import type { Answer } from "../quiz/model";
import { emptyDocument } from "../quiz-builder/model";
import type { DraftStoredFragment } from "./Assignment.generated";
import type { HandInQuestion, Version } from "./model";

/** What a learner prepares to hand in. */
export interface DraftText {
  /** A document; null without a text. */
  content: unknown;
  files: readonly AnswerFile[];
  links: readonly string[];
}

export const EMPTY: DraftText = { content: null, files: [], links: [] };

/** What an answer contains, as a draft. */
export function textOf({ content, files, links }: Answer): DraftText {
  return { content: isFilledDocument(content) ? content : null, files: files ?? [], links: links ?? [] };
}

/** The text of a draft on the server; empty without one. */
export function storedText(draft: DraftStoredFragment | null): DraftText {
  return draft?.answer ? givenText(draft.answer) : EMPTY;
}

/** What was handed in. */
export function versionText({ answers: [answer] }: Pick<Version, "answers">): DraftText {
  return answer?.__typename === "HandInAnswer" ? givenText(answer) : EMPTY;
}

const givenText = ({ document, files, links }: NonNullable<DraftStoredFragment["answer"]>) =>
  textOf({ content: document, files, links });

const filled = (links: readonly string[]) => links.map((link) => link.trim()).filter((link) => link !== "");

export function isEmpty({ content, files, links }: DraftText): boolean {
  return !isFilledDocument(content) && files.length === 0 && filled(links).length === 0;
}

type Ways = Pick<HandInQuestion, "takesText" | "maxFiles" | "maxLinks">;

/**
 * Divides a text by what the assignment takes now: what can be handed in, and what the author does not ask for any more, which is null
 * without any.
 */
export function dividedBy(
  { takesText, maxFiles, maxLinks }: Ways,
  { content, files, links }: DraftText,
): { taken: DraftText; rest: DraftText | null } {
  const part = (isOfTaken: boolean): DraftText => ({
    content: takesText === isOfTaken ? content : null,
    files: maxFiles > 0 === isOfTaken ? files : [],
    links: maxLinks > 0 === isOfTaken ? links : [],
  });
  const rest = part(false);
  return { taken: part(true), rest: isEmpty(rest) ? null : { ...rest, links: filled(rest.links) } };
}

/** The text in the form in which the server stores it. */
export function toInput({ content, files, links }: DraftText) {
  return {
    content: isFilledDocument(content) ? content : null,
    fileIds: files.map(({ id }) => id),
    links: filled(links),
  };
}

/** Whether two texts have the same content, files and addresses. */
export function isSame(a: DraftText, b: DraftText): boolean {
  return (
    isSameDocument(a.content, b.content) &&
    isSameList(
      a.files.map(({ id }) => id),
      b.files.map(({ id }) => id),
    ) &&
    isSameList(filled(a.links), filled(b.links))
  );
}

const documentOf = (content: unknown): ContentNode =>
  isFilledDocument(content) && isNode(content) ? content : emptyDocument();

export const isSameDocument = (a: unknown, b: unknown) => sameContent(documentOf(a), documentOf(b));

const isSameList = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one, at) => one === b[at]);

/** Two texts as one. */
export interface Merged {
  text: DraftText;
  /** Whether nothing was written differently in both: the one text has all of both without a choice. */
  isClear: boolean;
}

/**
 * Merges two texts that were both made of `base`; null if that is unknown. Nothing is lost: where both have written something else at one
 * place, both stay, theirs first. A file or an address that one of them has removed and the other did not touch is gone.
 */
export function mergeDrafts(base: DraftText | null, mine: DraftText, theirs: DraftText): Merged {
  const parts = mergeBlocks(documentOf(base?.content), documentOf(mine.content), documentOf(theirs.content));
  const blocks = parts.flatMap((part) =>
    part.kind === "settled" ? part.blocks : [...part.theirs, ...part.mine],
  );
  const content = { type: "doc", content: blocks };
  return {
    text: {
      content: isFilledDocument(content) ? content : null,
      files: mergeLists(base?.files ?? [], mine.files, theirs.files, ({ id }) => id),
      links: mergeLists(filled(base?.links ?? []), filled(mine.links), filled(theirs.links), (link) => link),
    },
    isClear: base !== null && parts.every(({ kind }) => kind === "settled"),
  };
}

function mergeLists<T>(
  base: readonly T[],
  mine: readonly T[],
  theirs: readonly T[],
  idOf: (one: T) => string,
): T[] {
  const ids = (list: readonly T[]) => new Set(list.map(idOf));
  const [was, own, other] = [ids(base), ids(mine), ids(theirs)];
  return [
    ...theirs.filter((one) => own.has(idOf(one)) || !was.has(idOf(one))),
    ...mine.filter((one) => !other.has(idOf(one)) && !was.has(idOf(one))),
  ];
}
