/** Rows per page. */
export const PER_PAGE = 20;

/** Returns the number of pages; 1 for an empty list. */
export function pagesOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / PER_PAGE));
}

/** Parses the search parameter `page`: 1 when it is not a number or below 1, otherwise rounded down. */
export function pageNumber(value: unknown): number {
  const page = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof page === "number" && Number.isFinite(page) ? Math.max(1, Math.floor(page)) : 1;
}
