import { pageNumber } from "../ui/pageNumber";

/** Which questions of a bank are shown. */
export interface BankFilter {
  /** Words that a question must all contain. */
  search: string;
  /** Tags that a question must all have. */
  tags: readonly string[];
  /** Kind of the questions, such as `single_choice`; empty for all. */
  kind: string;
  /** From 1. */
  page: number;
}

/** The filter in the address of a bank; what has its default is left out. */
export interface BankSearch {
  search?: string;
  /** Tags, one in each line: a tag may contain any other character. */
  tags?: string;
  kind?: string;
  page?: number;
  /** The question that opens first, such as one that a search has found; it is no part of the filter. */
  question?: string;
}

/** Questions of a page; the queries ask for as many. */
const QUESTIONS_PER_PAGE = 50;
/** The server's limits. */
export const TAGS_MAX = 20;
export const TAG_LENGTH_MAX = 50;

export const everything: BankFilter = { search: "", tags: [], kind: "", page: 1 };

/** The filter that an address means. The router parses a string of digits as a number, and people change addresses. */
export const filterOf = ({ search = "", tags = "", kind = "", page = 1 }: BankSearch): BankFilter => ({
  search: String(search),
  tags: String(tags).split("\n").filter(Boolean),
  kind: String(kind),
  page: pageNumber(page),
});

export const searchOf = ({ search, tags, kind, page }: BankFilter): BankSearch => ({
  ...(search && { search }),
  ...(tags.length > 0 && { tags: tags.join("\n") }),
  ...(kind && { kind }),
  ...(page > 1 && { page }),
});

/** Whether the filter leaves questions out. */
export const isNarrow = ({ search, tags, kind }: BankFilter): boolean =>
  search.trim() !== "" || tags.length > 0 || kind !== "";

/** The arguments of the query; a search of spaces alone is none. */
export const argumentsOf = ({ search, tags, kind, page }: BankFilter) => ({
  search: search.trim() || null,
  tags: tags.length > 0 ? [...tags] : null,
  kind: kind || null,
  skip: (page - 1) * QUESTIONS_PER_PAGE,
});

export const pagesOf = (total: number): number => Math.max(1, Math.ceil(total / QUESTIONS_PER_PAGE));

/** The list with the name, or without it if it was there. */
export const toggled = (names: readonly string[], name: string): string[] =>
  names.includes(name) ? names.filter((one) => one !== name) : [...names, name];

/** A typed tag as it is stored: without spaces around it, and with single ones inside. */
const tagOf = (typed: string): string => typed.trim().replace(/\s+/g, " ");

/** The tags of a typed text, which may separate them with commas. */
export const tagsOf = (typed: string): string[] =>
  [...new Set(typed.split(/[,;\n]/).map(tagOf))].filter(Boolean);

/** Tags that begin with the typed text come first, then those that contain it. Case does not matter. */
export function suggestedTags(known: readonly string[], typed: string, most: number): string[] {
  const words = tagOf(typed).toLocaleLowerCase();
  const found = known.filter((name) => name.toLocaleLowerCase().includes(words));
  const begins = (name: string) => Number(!name.toLocaleLowerCase().startsWith(words));
  return found.sort((a, b) => begins(a) - begins(b)).slice(0, most);
}
