/** The sort orders of the course lists, apart from the code that sorts, because the route parses them before its screen loads. */
export const SORTS = ["recent", "title", "progress"] as const;
export type Sort = (typeof SORTS)[number];

export function parseSort(value: unknown): Sort | undefined {
  return SORTS.find((sort) => sort === value);
}
