import { expect, test } from "vitest";
import { byGroup } from "./useMove";

test("undoing moves each student back to the group that they were in", () => {
  const of = (id: string, group: string | null) => ({
    id,
    name: id,
    group: group === null ? null : { id: group },
  });
  const groups = byGroup([of("anna", "a"), of("boris", null), of("vera", "b"), of("gleb", "a")]);
  expect(groups.map((members) => members.map(({ id }) => id))).toEqual([
    ["anna", "gleb"],
    ["boris"],
    ["vera"],
  ]);
});
