import { expect, test } from "vitest";
import { clipped, grouped, reachOf, withMore } from "./list";

const page = (id: string, module: string) => ({
  __typename: "Page" as const,
  id,
  title: id,
  number: 1,
  kind: "CONTENT" as const,
  lesson: {
    __typename: "Lesson" as const,
    id: "l",
    title: "l",
    module: { __typename: "Module" as const, id: module, title: module },
  },
});

const note = (id: string, at: ReturnType<typeof page> | null) => ({
  __typename: "Note" as const,
  id,
  color: "GREEN" as const,
  body: "x",
  version: 1,
  state: "PAGE" as const,
  quote: null,
  place: null,
  pageId: at?.id ?? "gone",
  page: at,
});

test("notes are grouped by module and page in their order, those of unseen pages last", () => {
  const notes = [
    note("1", page("a", "m")),
    note("2", page("a", "m")),
    note("3", page("b", "m")),
    note("4", page("c", "n")),
  ];
  const groups = grouped([...notes, note("5", null), note("6", null)]);
  expect(
    groups.map(({ module, pages }) => [
      module?.id,
      pages.map(({ page, notes }) => [page?.id, notes.map(({ id }) => id)]),
    ]),
  ).toEqual([
    [
      "m",
      [
        ["a", ["1", "2"]],
        ["b", ["3"]],
      ],
    ],
    ["n", [["c", ["4"]]]],
    [undefined, [[undefined, ["5", "6"]]]],
  ]);
});

const listOf = (ids: string[], cursors: string[], totalCount: number) => ({
  __typename: "NoteConnection" as const,
  totalCount,
  pageInfo: { __typename: "PageInfo" as const, hasNextPage: true, endCursor: cursors.at(-1) ?? null },
  edges: cursors.map((cursor) => ({ __typename: "NoteEdge" as const, cursor })),
  nodes: ids.map((id) => note(id, page("a", "m"))),
});

test("a list goes on after the notes that are left, and deleted ones are counted off once", () => {
  // Two of four notes were deleted: the server now has the third and the fourth in the places of the first two.
  const list = listOf(["1", "4"], ["c0", "c1", "c2", "c3"], 6);
  expect(reachOf(list, new Set())).toEqual({ count: 4, after: "c1" });
  expect(reachOf(list, new Set(["4", "2"]))).toEqual({ count: 3, after: "c1" });
  expect(reachOf(listOf([], ["c0"], 3), new Set())).toEqual({ count: 2, after: null });

  const whole = withMore(list, listOf(["4", "5", "6"], ["c1", "c2", "c3"], 4));
  expect(whole.nodes.map(({ id }) => id)).toEqual(["1", "4", "5", "6"]);
  expect(whole.edges.map(({ cursor }) => cursor)).toEqual(["c0", "c1", "c2", "c3"]);
  expect(reachOf(whole, new Set())).toEqual({ count: 4, after: "c3" });
});

test("a search is clipped to what the server takes", () => {
  expect([...clipped("😀".repeat(300))]).toHaveLength(200);
  expect(clipped("имя")).toBe("имя");
});
