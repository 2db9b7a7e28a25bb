import { describe, expect, test } from "vitest";
import { aLesson } from "../testing/aLesson";
import { type Draft, dropAt, type NewKind, rowsOf, type Saving } from "./rows";
import { allOf, existing, ranged, toggled } from "./selection";
import type { Position, Tree } from "./tree";

const page = (id: string) => ({ id, title: id, kind: "CONTENT" as const, published: true });
const module = (id: string, lessons: Record<string, string[]>) => ({
  id,
  title: id,
  description: null,
  avatarUrl: null,
  lessons: Object.entries(lessons).map(([id, pages]) => aLesson(id, pages.map(page))),
});
const tree: Tree = {
  id: "course",
  modules: [module("M", { a: ["1", "2"], b: [] }), module("N", { c: ["3"] })],
};
interface Shown {
  collapsed?: string[];
  draft?: Draft;
  saving?: Saving[];
  editable?: boolean;
}
const rows = ({ collapsed = [], draft, saving = [], editable = true }: Shown = {}) =>
  rowsOf(tree, { collapsed: new Set(collapsed), draft: draft ?? null, saving, editable });
const keys = (shown?: Shown) => rows(shown).map((row) => row.key);

describe("the rows of an outline", () => {
  test("contain every expanded item, with a row that adds items at the end of each list", () =>
    expect(keys()).toEqual([
      ..."M a 1 2".split(" "),
      "add a",
      "b",
      "add b",
      "add M",
      ..."N c 3".split(" "),
      "add c",
      "add N",
    ]));
  test("leave out collapsed items", () =>
    expect(keys({ collapsed: ["a", "N"] })).toEqual(["M", "a", "b", "add b", "add M", "N"]));
  test("contain no rows that add items for people who only read", () =>
    expect(keys({ editable: false })).toEqual("M a 1 2 b N c 3".split(" ")));
  test("show a new item at its position, after items that are being saved there", () => {
    const position = { parentId: "a", before: "2" };
    const saving = [{ key: "s", kind: "page" as const, position, title: "Новая" }];
    const draft = (position: Position, kind: NewKind) => ({ kind, position, key: "new", title: "" });
    expect(keys({ draft: draft(position, "page"), saving }).slice(1, 6)).toEqual([
      "a",
      "1",
      "s",
      "draft",
      "2",
    ]);
    expect(keys({ draft: draft({ parentId: "course", before: null }, "module") }).at(-1)).toBe("draft");
  });
  test("number siblings for assistive technology", () => {
    const two = rows().find((row) => row.key === "2");
    expect(two).toMatchObject({ level: 3, number: 2, siblings: 2 });
  });
});

describe("dropping", () => {
  const drop = (key: string, upper: boolean, kind: "module" | "lesson" | "page", shown?: Shown) => {
    const all = rows(shown);
    const found = dropAt(
      all,
      all.findIndex((row) => row.key === key),
      upper,
      kind,
    );
    return found && { ...found.position, at: all[found.line]?.key ?? "end" };
  };
  test("a page on a page puts it before or after that page", () => {
    expect(drop("2", true, "page")).toEqual({ parentId: "a", before: "2", at: "2" });
    expect(drop("1", false, "page")).toEqual({ parentId: "a", before: "2", at: "2" });
    expect(drop("2", false, "page")).toEqual({ parentId: "a", before: null, at: "add a" });
  });
  test("a page on an expanded lesson puts it at its start, on a collapsed one at its end", () => {
    expect(drop("a", false, "page")).toEqual({ parentId: "a", before: "1", at: "1" });
    expect(drop("b", true, "page")).toEqual({ parentId: "b", before: null, at: "add b" });
    const all = rows({ collapsed: ["a"] });
    expect(dropAt(all, 1, true, "page")).toMatchObject({
      position: { parentId: "a", before: null },
      into: "a",
    });
  });
  test("a page on the end of a lesson puts it there, on a module nowhere", () => {
    expect(drop("add a", true, "page")).toEqual({ parentId: "a", before: null, at: "add a" });
    expect(drop("M", true, "page")).toBeNull();
    expect(drop("add M", true, "page")).toBeNull();
  });
  test("a lesson puts it before or after a whole lesson", () => {
    expect(drop("a", true, "lesson")).toEqual({ parentId: "M", before: "a", at: "a" });
    expect(drop("a", false, "lesson")).toEqual({ parentId: "M", before: "b", at: "b" });
    expect(drop("1", true, "lesson")).toEqual({ parentId: "M", before: "a", at: "a" });
    expect(drop("add a", true, "lesson")).toEqual({ parentId: "M", before: "b", at: "b" });
    expect(drop("N", false, "lesson")).toEqual({ parentId: "N", before: "c", at: "c" });
    expect(drop("add N", true, "lesson")).toEqual({ parentId: "N", before: null, at: "add N" });
  });
  test("a module puts it before or after a whole module", () => {
    expect(drop("M", true, "module")).toEqual({ parentId: "course", before: "M", at: "M" });
    expect(drop("b", true, "module")).toEqual({ parentId: "course", before: "N", at: "N" });
    expect(drop("add c", false, "module")).toEqual({ parentId: "course", before: null, at: "end" });
  });
});

describe("selecting", () => {
  test("toggles items of one kind", () => {
    const one = toggled(null, "page", "1");
    const two = toggled(one, "page", "3");
    expect([...(two?.ids ?? [])]).toEqual(["1", "3"]);
    expect(toggled(toggled(two, "page", "1"), "page", "3")).toBeNull();
    expect([...(toggled(two, "lesson", "a")?.ids ?? [])]).toEqual(["a"]);
  });
  test("selects a range of one kind, across lessons and in either direction", () => {
    const down = ranged(toggled(null, "page", "1"), rows(), "1", "3");
    expect([...(down?.ids ?? [])]).toEqual(["1", "2", "3"]);
    expect(down?.anchor).toBe("1");
    const up = ranged(toggled(null, "page", "3"), rows(), "3", "2");
    expect([...(up?.ids ?? [])]).toEqual(["2", "3"]);
    expect([...(ranged(null, rows(), "a", "b")?.ids ?? [])]).toEqual(["a", "b"]);
  });
  test("selects all items of a kind", () =>
    expect([...allOf(rows(), "lesson", "a").ids]).toEqual(["a", "b", "c"]));
  test("drops items that no longer exist", () => {
    const all = allOf(rows(), "page", "1");
    expect(existing(all, () => true)).toBe(all);
    expect([...(existing(all, (id) => id !== "2")?.ids ?? [])]).toEqual(["1", "3"]);
    expect(existing(all, () => false)).toBeNull();
  });
});
