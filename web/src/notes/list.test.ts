import { expect, test } from "vitest";
import { grouped } from "./list";

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
