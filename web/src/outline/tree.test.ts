import { describe, expect, test } from "vitest";
import {
  countsOf,
  indexOf,
  moveTo,
  placeBeside,
  placeInNeighbour,
  putBack,
  steps,
  type Tree,
  without,
} from "./tree";

/** «a:[1 2] b:[3]»: lessons and their pages; a module a line. */
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
        lessons: [...rest.matchAll(/(\w+):\[([^\]]*)\]/g)].map(([, id = "", pages = ""]) => ({
          id,
          title: id,
          pages: pages
            .split(" ")
            .filter(Boolean)
            .map((page) => ({ id: page, title: page, kind: "CONTENT" as const, published: true })),
        })),
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

describe("moving", () => {
  test("within a lesson", () =>
    expect(text(moveTo(course, ["3"], { parentId: "a", before: "1" }))[0]).toBe("M | a:[3 1 2] b:[4]"));
  test("into another lesson, at its end", () =>
    expect(text(moveTo(course, ["1", "3"], { parentId: "c", before: null }))).toEqual([
      "M | a:[2] b:[4]",
      "N | c:[5 6 1 3]",
    ]));
  test("several from several places, in the order given", () =>
    expect(text(moveTo(course, ["2", "4", "6"], { parentId: "a", before: "1" }))).toEqual([
      "M | a:[2 4 6 1 3] b:[]",
      "N | c:[5]",
    ]));
  test("before one that moves along goes before the next that stays", () =>
    expect(text(moveTo(course, ["1", "2"], { parentId: "a", before: "1" }))[0]).toBe("M | a:[1 2 3] b:[4]"));
  test("a lesson takes its pages along", () =>
    expect(text(moveTo(course, ["a"], { parentId: "N", before: "c" }))).toEqual([
      "M | b:[4]",
      "N | a:[1 2 3] c:[5 6]",
    ]));
  test("a module changes places", () =>
    expect(text(moveTo(course, ["N"], { parentId: "course", before: "M" }))[0]).toBe("N | c:[5 6]"));
  test("to where it is leaves the tree itself", () =>
    expect(moveTo(course, ["2"], { parentId: "a", before: "3" })).toBe(course));
  test("leaves what it does not touch", () =>
    expect(moveTo(course, ["1"], { parentId: "a", before: null }).modules[1]).toBe(course.modules[1]));
});

describe("one step by the keys", () => {
  const step = (ids: string[], direction: -1 | 1) => {
    const place = placeBeside(course, ids, direction);
    return place && text(moveTo(course, ids, place));
  };
  test("goes past a neighbour", () => {
    expect(step(["2"], 1)?.[0]).toBe("M | a:[1 3 2] b:[4]");
    expect(step(["2"], -1)?.[0]).toBe("M | a:[2 1 3] b:[4]");
  });
  test("goes into the next lesson, also of the next module", () => {
    expect(step(["3"], 1)?.[0]).toBe("M | a:[1 2] b:[3 4]");
    expect(step(["4"], 1)?.[1]).toBe("N | c:[4 5 6]");
    expect(step(["5"], -1)?.[0]).toBe("M | a:[1 2 3] b:[4 5]");
  });
  test("keeps several together", () => {
    expect(step(["1", "2"], 1)?.[0]).toBe("M | a:[3 1 2] b:[4]");
    expect(step(["2", "3"], -1)?.[0]).toBe("M | a:[2 3 1] b:[4]");
  });
  test("ends at the edges of the course", () => {
    expect(step(["1"], -1)).toBeNull();
    expect(step(["6"], 1)).toBeNull();
    expect(step(["M"], -1)).toBeNull();
    expect(step(["c"], 1)).toBeNull();
  });
  test("far: to the near end of the neighbouring lesson", () => {
    expect(placeInNeighbour(course, ["1"], 1)).toEqual({ parentId: "b", before: "4" });
    expect(placeInNeighbour(course, ["4"], -1)).toEqual({ parentId: "a", before: null });
    expect(placeInNeighbour(course, ["N"], 1)).toBeNull();
  });
});

/** What the server does with a step. */
function done(before: Tree, ids: string[], after: Tree): Tree {
  let now = before;
  for (const { id, parentId, index } of steps(before, after, ids)) {
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

describe("what the server is told", () => {
  test("is one call for one thing, with the parent only when it changes", () => {
    const after = moveTo(course, ["3"], { parentId: "a", before: "1" });
    expect(steps(course, after, ["3"])).toEqual([{ kind: "page", id: "3", parentId: null, index: 0 }]);
    const away = moveTo(course, ["3"], { parentId: "c", before: "6" });
    expect(steps(course, away, ["3"])).toEqual([{ kind: "page", id: "3", parentId: "c", index: 1 }]);
  });

  test("leads to the same tree, whatever was moved and wherever", () => {
    const random = seeded(7);
    for (let round = 0; round < 500; round++) {
      const pages = ["1", "2", "3", "4", "5", "6"].filter(() => random() < 0.5);
      const parentId = ["a", "b", "c"][Math.floor(random() * 3)] ?? "a";
      const found = indexOf(course).get(parentId);
      const children = found?.kind === "lesson" ? found.item.pages : [];
      const before = children[Math.floor(random() * (children.length + 1))]?.id ?? null;
      const after = moveTo(course, pages, { parentId, before });
      expect(text(done(course, pages, after))).toEqual(text(after));
      // And back again.
      expect(text(done(after, pages, course))).toEqual(text(course));
    }
  });
});

describe("taking back", () => {
  test("puts things where they were, in between what has come since", () => {
    const moved = moveTo(course, ["1", "3"], { parentId: "c", before: null });
    expect(text(putBack(moved, course, ["1", "3"]))).toEqual(text(course));
    const since = moveTo(moved, ["4"], { parentId: "a", before: null });
    expect(text(putBack(since, course, ["1", "3"]))[0]).toBe("M | a:[1 2 4 3] b:[]");
  });

  test("leaves what has gone", () => {
    const moved = without(moveTo(course, ["1", "3"], { parentId: "c", before: null }), new Set(["3"]));
    expect(text(putBack(moved, course, ["1", "3"]))[0]).toBe("M | a:[1 2] b:[4]");
  });
});

describe("what waits to be deleted", () => {
  test("is not there, and nothing else changes", () => {
    const left = without(course, new Set(["2", "c"]));
    expect(text(left)).toEqual(["M | a:[1 3] b:[4]", "N |"]);
    expect(left.modules[0]?.lessons[1]).toBe(course.modules[0]?.lessons[1]);
    expect(without(course, new Set(["unknown"]))).toBe(course);
  });
  test("does not count", () =>
    expect(countsOf(without(course, new Set(["a"])))).toEqual({
      modules: 2,
      lessons: 2,
      pages: 3,
      published: 3,
    }));
});

/** A small generator of numbers, the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}
