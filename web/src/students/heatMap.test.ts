import { describe, expect, test } from "vitest";
import { type HeatMap, heatOf, percentOf, shownModules, worstPages } from "./heatMap";

const page = (id: string, stopped: number) => ({
  id,
  title: id,
  position: 0,
  visited: 9,
  stopped,
  quiz: null,
});
const module = (id: string, ...lessons: ReturnType<typeof page>[][]) => ({
  id,
  title: id,
  lessons: lessons.map((pages, at) => ({ id: `${id}${at}`, title: "", pages })),
});
const map: HeatMap = {
  students: 9,
  completed: 0,
  notStarted: 0,
  modules: [
    module("a", [page("1", 1), page("2", 0)], []),
    module("b", []),
    module("c", [page("3", 2)], [page("4", 1), page("5", 1)]),
  ],
};

describe("a heat map", () => {
  test("leaves out modules and lessons without pages", () => {
    const shown = shownModules(map).map(({ id, lessons }) => [id, lessons.length]);
    expect(shown).toEqual([
      ["a", 1],
      ["c", 2],
    ]);
  });

  test("lists the pages where most students stop, equal counts in course order", () => {
    expect(worstPages(map.modules).map(({ id }) => id)).toEqual(["3", "1", "4"]);
    expect(worstPages([module("a", [page("1", 0)])])).toEqual([]);
  });

  test("has five levels, from 0 where nobody stops to 4 where most students stop", () => {
    expect([0, 1, 25, 26, 99, 100].map((stopped) => heatOf(stopped, 100))).toEqual([0, 1, 1, 2, 4, 4]);
    expect([heatOf(0, 0), heatOf(1, 1)]).toEqual([0, 4]);
  });

  test("rounds percentages down", () => {
    expect([percentOf(2, 3), percentOf(3, 3), percentOf(0, 0)]).toEqual([66, 100, 0]);
  });
});
