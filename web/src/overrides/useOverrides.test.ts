import { expect, test } from "vitest";
import type { CourseOverridesQuery } from "./Overrides.generated";
import { withPage } from "./useOverrides";

const list = (ids: string[], endCursor: string, hasNextPage: boolean) =>
  ({
    overrides: { totalCount: 2, pageInfo: { endCursor, hasNextPage }, nodes: ids.map((id) => ({ id })) },
  }) as CourseOverridesQuery;

test("a page of overrides is appended once, however many screens fetch it", () => {
  const first = list(["a"], "1", true);
  const next = list(["b"], "2", false);
  const both = withPage(first, next, "1");
  expect(both).toEqual(list(["a", "b"], "2", false));
  expect(withPage(both, next, "1")).toBe(both);
});
