import { describe, expect, test } from "vitest";
import { inOrder, marksOf, mayResolve, type Thread } from "./threads";

const thread = (id: string, over: Partial<Thread> = {}): Thread => ({
  id,
  state: "OPEN",
  startedBy: null,
  createdAt: `2026-01-0${id.length}T00:00:00Z`,
  resolvedAt: null,
  resolvedBy: null,
  isUnread: false,
  anchor: { block: 0, quote: "слова" },
  comments: [],
  suggestion: null,
  ...over,
});

describe("threads", () => {
  test("stand in the order of their blocks: the page's first, lost ones last, older ones before newer ones", () => {
    const threads = [
      thread("lost"),
      thread("second"),
      thread("aaa"),
      thread("a"),
      thread("page", { anchor: null }),
    ];
    const places = new Map([
      ["lost", null],
      ["second", 1],
      ["a", 0],
      ["aaa", 0],
    ]);
    expect(inOrder(threads, places).map(({ id }) => id)).toEqual(["page", "a", "aaa", "second", "lost"]);
  });

  test("mark the blocks that have open ones", () => {
    const threads = [thread("bb"), thread("a"), thread("c", { state: "RESOLVED" }), thread("d"), thread("e")];
    const places = new Map([
      ["a", 3],
      ["bb", 3],
      ["c", 1],
      ["d", null],
      ["e", 2],
    ]);
    expect(marksOf(threads, places)).toEqual([
      { block: 2, threads: ["e"] },
      { block: 3, threads: ["a", "bb"] },
    ]);
  });
});

describe("resolving", () => {
  test.each([
    ["OWNER", "other", true],
    ["EDITOR", "other", true],
    ["REVIEWER", "other", false],
    ["REVIEWER", "me", true],
    ["TEACHER", "me", true],
    ["ADMIN", "me", false],
  ] as const)("as %s, a thread of %s: %s", (role, id, may) =>
    expect(mayResolve(role, { startedBy: { id } }, "me")).toBe(may),
  );
});
