/** The `page` of an address: a number, else 1. Below 1 and between pages there is nothing, so those are 1 and rounded down too. */
export function pageNumber(value: unknown): number {
  const page = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof page === "number" && Number.isFinite(page) ? Math.max(1, Math.floor(page)) : 1;
}
