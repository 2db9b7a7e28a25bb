import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extended, grouped, type Notice, renewed } from "./grouping";
import { aNotice, aPlace } from "./testing";

/** The ids of the notices of each row, by day and course. */
const shape = (notices: readonly Notice[]) =>
  grouped(notices).map(({ courses }) =>
    courses.map(({ course, rows }) => [
      course?.title ?? null,
      rows.map((row) => row.notices.map(({ id }) => id).join("+")),
    ]),
  );
const local = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();

describe("notices are grouped", () => {
  test("by the day of the device", () => {
    const notices = [
      aNotice("3", { kind: "MENTION", happenedAt: local(29, 0) }),
      aNotice("2", { kind: "GRADED", happenedAt: local(28, 23) }),
      aNotice("1", { kind: "RETURNED", happenedAt: local(28, 1) }),
    ];
    expect(shape(notices)).toEqual([[["Основы Rust", ["3"]]], [["Основы Rust", ["2", "1"]]]]);
  });

  test("by course within a day, the course of the newest one first", () => {
    const other = aPlace("c2", "Базы данных");
    const notices = [
      aNotice("5", { course: other }),
      aNotice("4"),
      aNotice("3", { course: null, page: null, kind: "IMPORT_DONE" }),
      aNotice("2", { course: other, kind: "MENTION" }),
      aNotice("1", { kind: "MENTION" }),
    ];
    expect(shape(notices)).toEqual([
      [
        ["Базы данных", ["5", "2"]],
        ["Основы Rust", ["4", "1"]],
        [null, ["3"]],
      ],
    ]);
  });

  test("neighbours of one kind about one page are one row", () => {
    const page = aPlace("p2", "Функции");
    const notices = [
      aNotice("6"),
      aNotice("5"),
      aNotice("4", { page }),
      aNotice("3", { kind: "MENTION" }),
      aNotice("2"),
      aNotice("1"),
    ];
    expect(shape(notices)).toEqual([[["Основы Rust", ["6+5", "4", "3", "2+1"]]]]);
  });

  test.each(["IMPORT_DONE", "INVITED"] as const)("%s is never joined: each leads elsewhere", (kind) => {
    const notices = [aNotice("2", { kind, page: null }), aNotice("1", { kind, page: null })];
    expect(shape(notices)).toEqual([[["Основы Rust", ["2", "1"]]]]);
  });

  test("and a row that grows keeps its key", () => {
    const before = grouped([aNotice("1")])[0]?.courses[0]?.rows[0]?.key;
    expect(grouped([aNotice("2"), aNotice("1")])[0]?.courses[0]?.rows[0]?.key).toBe(before);
  });

  test("without losing or repeating any", () => {
    const kinds = ["COMMENT", "MENTION", "IMPORT_DONE"] as const;
    const some = fc.array(
      fc.record({
        kind: fc.constantFrom(...kinds),
        page: fc.nat(2),
        course: fc.nat(2),
        day: fc.integer({ min: 1, max: 3 }),
      }),
    );
    fc.assert(
      fc.property(some, (given) => {
        const notices = given
          .toSorted((one, other) => other.day - one.day)
          .map(({ kind, page, course, day }, at) =>
            aNotice(String(at), {
              kind,
              page: aPlace(`p${page}`, null),
              course: aPlace(`c${course}`, null),
              happenedAt: local(day, 12),
            }),
          );
        const found = grouped(notices).flatMap(({ courses }) =>
          courses.flatMap(({ rows }) => rows.flatMap((row) => row.notices.map(({ id }) => id))),
        );
        expect(found.toSorted()).toEqual(notices.map(({ id }) => id).toSorted());
      }),
    );
  });
});

describe("the newest notices, read again,", () => {
  const part = (ids: string, next: string | null) => ({ items: [...ids].map((id) => aNotice(id)), next });
  const ids = ({ items, next }: ReturnType<typeof part>) => [items.map(({ id }) => id).join(""), next];

  test("replace those that were shown, and the older ones stay", () => {
    expect(ids(renewed(part("fedcba", null), part("gfed", "d")))).toEqual(["gfedcba", null]);
  });

  test("drop what is no longer there", () => {
    expect(ids(renewed(part("fedcba", "a"), part("gfdc", "c")))).toEqual(["gfdcba", "a"]);
  });

  test("stand alone when the older ones no longer follow them", () => {
    expect(ids(renewed(part("cba", null), part("ihgf", "f")))).toEqual(["ihgf", "f"]);
  });

  test("stand alone when they are all", () => {
    expect(ids(renewed(part("cba", "a"), part("b", null)))).toEqual(["b", null]);
  });

  test("a further part is appended, each notice once", () => {
    expect(ids(extended(part("edc", "c"), part("cb", "b")))).toEqual(["edcb", "b"]);
  });
});
