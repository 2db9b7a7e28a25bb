import { describe, expect, test } from "vitest";
import { aLesson } from "../testing/aLesson";
import {
  countsOf,
  indexOf,
  moveSteps,
  moveTo,
  positionBeside,
  positionInNeighbour,
  restorePositions,
  type Tree,
  withoutItems,
} from "./tree";

/** Lessons with their pages, one module per line: `a:[1 2] b:[3]`. */
function tree(...modules: string[]): Tree {
  return {
    id: "course",
    modules: modules.map((text) => {
      const [name = "", rest = ""] = text.split("|");
      return {
        id: name.trim(),
        title: name.trim(),
        description: null,
        avatarUrl: null,
        lessons: [...rest.matchAll(/(\w+):\[([^\]]*)\]/g)].map(([, id = "", pages = ""]) =>
          aLesson(
            id,
            pages
              .split(" ")
              .filter(Boolean)
              .map((page) => ({ id: page, title: page, kind: "CONTENT" as const, published: true })),
          ),
        ),
      };
    }),
  };
}

function text({ modules }: Tree): string[] {
  return modules.map(({ id, lessons }) =>
    `${id} | ${lessons.map(({ id, pages }) => `${id}:[${pages.map((page) => page.id).join(" ")}]`).join(" ")}`.trim(),
  );
}

const course = tree("M | a:[1 2 3] b:[4]", "N | c:[5 6]");

describe("moveTo", () => {
  test("moves within a lesson", () =>
    expect(text(moveTo(course, ["3"], { parentId: "a", before: "1" }))[0]).toBe("M | a:[3 1 2] b:[4]"));
  test("moves to the end of another lesson", () =>
    expect(text(moveTo(course, ["1", "3"], { parentId: "c", before: null }))).toEqual([
      "M | a:[2] b:[4]",
      "N | c:[5 6 1 3]",
    ]));
  test("moves several items from different lessons in the given order", () =>
    expect(text(moveTo(course, ["2", "4", "6"], { parentId: "a", before: "1" }))).toEqual([
      "M | a:[2 4 6 1 3] b:[]",
      "N | c:[5]",
    ]));
  test("uses the next sibling that stays when the one at the position moves too", () =>
    expect(text(moveTo(course, ["1", "2"], { parentId: "a", before: "1" }))[0]).toBe("M | a:[1 2 3] b:[4]"));
  test("moves a lesson with its pages", () =>
    expect(text(moveTo(course, ["a"], { parentId: "N", before: "c" }))).toEqual([
      "M | b:[4]",
      "N | a:[1 2 3] c:[5 6]",
    ]));
  test("moves a module", () =>
    expect(text(moveTo(course, ["N"], { parentId: "course", before: "M" }))[0]).toBe("N | c:[5 6]"));
  test("returns the same tree when nothing moves", () =>
    expect(moveTo(course, ["2"], { parentId: "a", before: "3" })).toBe(course));
  test("keeps the objects of unchanged parts", () =>
    expect(moveTo(course, ["1"], { parentId: "a", before: null }).modules[1]).toBe(course.modules[1]));
});

describe("one step by the keyboard", () => {
  const step = (ids: string[], direction: -1 | 1) => {
    const position = positionBeside(course, ids, direction);
    return position && text(moveTo(course, ids, position));
  };
  test("moves past a sibling", () => {
    expect(step(["2"], 1)?.[0]).toBe("M | a:[1 3 2] b:[4]");
    expect(step(["2"], -1)?.[0]).toBe("M | a:[2 1 3] b:[4]");
  });
  test("moves into the next lesson, even in the next module", () => {
    expect(step(["3"], 1)?.[0]).toBe("M | a:[1 2] b:[3 4]");
    expect(step(["4"], 1)?.[1]).toBe("N | c:[4 5 6]");
    expect(step(["5"], -1)?.[0]).toBe("M | a:[1 2 3] b:[4 5]");
  });
  test("keeps several items together", () => {
    expect(step(["1", "2"], 1)?.[0]).toBe("M | a:[3 1 2] b:[4]");
    expect(step(["2", "3"], -1)?.[0]).toBe("M | a:[2 3 1] b:[4]");
  });
  test("stops at the edges of the course", () => {
    expect(step(["1"], -1)).toBeNull();
    expect(step(["6"], 1)).toBeNull();
    expect(step(["M"], -1)).toBeNull();
    expect(step(["c"], 1)).toBeNull();
  });
  test("moves to the near end of the neighbouring lesson with Shift", () => {
    expect(positionInNeighbour(course, ["1"], 1)).toEqual({ parentId: "b", before: "4" });
    expect(positionInNeighbour(course, ["4"], -1)).toEqual({ parentId: "a", before: null });
    expect(positionInNeighbour(course, ["N"], 1)).toBeNull();
  });
});

/** Applies a step as the server does. */
function done(before: Tree, ids: string[], after: Tree): Tree {
  let now = before;
  for (const { id, parentId, index } of moveSteps(before, after, ids)) {
    const home = parentId ?? indexOf(now).get(id)?.parentId ?? "";
    const found = indexOf(now).get(home);
    const children =
      home === now.id
        ? now.modules
        : found?.kind === "module"
          ? found.item.lessons
          : found?.kind === "lesson"
            ? found.item.pages
            : [];
    const others = children.filter((child) => child.id !== id);
    now = moveTo(now, [id], { parentId: home, before: others[index]?.id ?? null });
  }
  return now;
}

describe("moveSteps", () => {
  test("gives one step per item, with the parent only when it changes", () => {
    const after = moveTo(course, ["3"], { parentId: "a", before: "1" });
    expect(moveSteps(course, after, ["3"])).toEqual([{ kind: "page", id: "3", parentId: null, index: 0 }]);
    const away = moveTo(course, ["3"], { parentId: "c", before: "6" });
    expect(moveSteps(course, away, ["3"])).toEqual([{ kind: "page", id: "3", parentId: "c", index: 1 }]);
  });

  test("leads to the same tree for any move", () => {
    const random = seeded(7);
    for (let round = 0; round < 500; round++) {
      const pages = ["1", "2", "3", "4", "5", "6"].filter(() => random() < 0.5);
      const parentId = ["a", "b", "c"][Math.floor(random() * 3)] ?? "a";
      const found = indexOf(course).get(parentId);
      const children = found?.kind === "lesson" ? found.item.pages : [];
      const before = children[Math.floor(random() * (children.length + 1))]?.id ?? null;
      const after = moveTo(course, pages, { parentId, before });
      expect(text(done(course, pages, after))).toEqual(text(after));
      // Restores the former positions.
      expect(text(done(after, pages, course))).toEqual(text(course));
    }
  });
});

describe("restorePositions", () => {
  test("restores positions between items added since", () => {
    const moved = moveTo(course, ["1", "3"], { parentId: "c", before: null });
    expect(text(restorePositions(moved, course, ["1", "3"]))).toEqual(text(course));
    const since = moveTo(moved, ["4"], { parentId: "a", before: null });
    expect(text(restorePositions(since, course, ["1", "3"]))[0]).toBe("M | a:[1 2 4 3] b:[]");
  });

  test("ignores deleted items", () => {
    const moved = withoutItems(moveTo(course, ["1", "3"], { parentId: "c", before: null }), new Set(["3"]));
    expect(text(restorePositions(moved, course, ["1", "3"]))[0]).toBe("M | a:[1 2] b:[4]");
  });
});

describe("withoutItems", () => {
  test("removes the items and changes nothing else", () => {
    const left = withoutItems(course, new Set(["2", "c"]));
    expect(text(left)).toEqual(["M | a:[1 3] b:[4]", "N |"]);
    expect(left.modules[0]?.lessons[1]).toBe(course.modules[0]?.lessons[1]);
    expect(withoutItems(course, new Set(["unknown"]))).toBe(course);
  });
  test("excludes them from the counts", () =>
    expect(countsOf(withoutItems(course, new Set(["a"])))).toEqual({
      modules: 2,
      lessons: 2,
      pages: 3,
      published: 3,
    }));
});

/** A pseudorandom generator with a fixed seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}
