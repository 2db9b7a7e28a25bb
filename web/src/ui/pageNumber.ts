/** How many rows a numbered page has. */
export const PER_PAGE = 20;

/** How many pages that makes; an empty list is one page too. */
export function pagesOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / PER_PAGE));
}

/** The `page` of an address: a number, else 1. Below 1 and between pages there is nothing, so those are 1 and rounded down too. */
export function pageNumber(value: unknown): number {
  const page = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof page === "number" && Number.isFinite(page) ? Math.max(1, Math.floor(page)) : 1;
}
