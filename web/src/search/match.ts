/** How a match of the full-text search is named, and where it leads. */
import type { TFunction } from "i18next";
import { pageTitle } from "../course/pageTitle";
import { destination } from "../palette/destination";
import { marked } from "../palette/matching";
import { placeHash } from "./foundPlace";
import type { Search_MatchFragment } from "./Search.generated";

export type Match = Search_MatchFragment;
export type Snippet = Match["fragments"][number];
/** A part of a snippet: text that matches, or text around it. */
export type Part = Snippet["parts"][number];

/** Unique among the matches of a search. */
export const matchKey = ({ pageId, questionId }: Match): string => `${pageId ?? questionId}`;

/** The title of the page, or the name of the question bank. */
export function matchTitle({ kind, bankTitle, title, number }: Match, t: TFunction): string {
  if (kind === "BANK_QUESTION") return bankTitle ?? "";
  return pageTitle({ title, number: number ?? 1 }, t);
}

/** The snippets of a match besides its title, which the server sends if nothing else matches. */
export function snippetsOf({ kind, fragments }: Match): readonly Snippet[] {
  return fragments.filter(
    ({ block, questionId }) => kind === "BANK_QUESTION" || block !== null || questionId !== null,
  );
}

/** The title in parts, with the words marked that the server has found or that were typed. */
export function titleParts(match: Match, typed: string, t: TFunction): readonly Part[] {
  const title = matchTitle(match, t);
  const [found] = match.fragments;
  if (found && found.parts.map(({ text }) => text).join("") === title) return found.parts;
  return marked(title, typed).map((text, index) => ({ text, matched: index % 2 === 1 }));
}

/** Where a match opens, for links and the router. */
interface Address {
  to: string;
  search?: { question: string };
  hash?: string;
}

/** The address that shows a snippet of the match, or the match itself: in the editor for authors. */
export function matchAddress(match: Match, snippet: Snippet | undefined = snippetsOf(match)[0]): Address {
  const { kind, bankId, questionId, courseId, pageId, myRole } = match;
  const place = snippet && { hash: placeHash({ ...snippet, questionId: snippet.questionId ?? questionId }) };
  if (kind === "BANK_QUESTION")
    return { to: `/banks/${bankId}`, search: { question: `${questionId}` }, ...place };
  const page = { kind: "PAGE", courseId: courseId ?? "", pageId, myRole: myRole ?? "LEARNER" } as const;
  return { to: destination(page), ...place };
}

/** Shortens the text before the first match, so that a narrow line shows the match. `most` is in characters. */
export function withoutLead(parts: readonly Part[], most: number): readonly Part[] {
  const [first, ...others] = parts;
  if (!first || first.matched || first.text.length <= most) return parts;
  // Cuts between words.
  const rest = first.text.slice(-most).replace(/^\S*\s+/, "");
  return [{ ...first, text: `… ${rest}` }, ...others];
}
