import { pageNumber } from "../ui/pageNumber";

/** A search in the address; what has its default is left out. */
export interface SearchParams {
  text?: string;
  /** Only the pages of this course. */
  course?: string;
  /** How many windows of results are shown. */
  page?: number;
}

export interface Search {
  /** As it is typed. */
  text: string;
  courseId: string | null;
  /** From 1. */
  page: number;
}

/** Results of a window; «Показать ещё» adds another one. */
export const WINDOW = 20;
/** The server returns at most 100 rows. */
export const WINDOWS_MAX = 5;

/** The search that an address means. The router parses a string of digits as a number, and people change addresses. */
export const searchOf = ({ text = "", course = "", page = 1 }: SearchParams): Search => ({
  text: String(text).slice(0, 255),
  courseId: String(course) || null,
  page: Math.min(pageNumber(page), WINDOWS_MAX),
});

export const paramsOf = ({ text, courseId, page }: Search): SearchParams => ({
  ...(text && { text }),
  ...(courseId && { course: courseId }),
  ...(page > 1 && { page }),
});
