import { expect, test, vi } from "vitest";
import { openApp } from "../testing/renderApp";
import { candidateOf, isRecent, loadCandidates, nudge } from "./nudge";

const now = new Date("2026-11-29T12:00:00Z");

test.each([
  [null, false],
  ["2026-11-29T11:59:00Z", true],
  ["2026-11-28T12:00:01Z", true],
  ["2026-11-28T12:00:00Z", false],
])("a student nudged at %s is skipped: %s", (lastNudgedAt, isSkipped) => {
  expect(isRecent({ lastNudgedAt }, now)).toBe(isSkipped);
});

const student = (id: string) => ({
  __typename: "Student",
  id,
  user: {
    __typename: "Person",
    id: `u-${id}`,
    fullName: id === "b" ? null : `Имя ${id}`,
    email: `${id}@example.com`,
  },
  lastNudgedAt: null,
});

test("all students who match a filter are loaded; those without a name are shown by email address", async () => {
  const page = vi.fn((after: unknown) => ({
    course: {
      __typename: "Course",
      id: "c1",
      students: {
        __typename: "StudentConnection",
        pageInfo: { __typename: "PageInfo", endCursor: after ? null : "1", hasNextPage: !after },
        nodes: [student(after ? "b" : "a")],
      },
    },
  }));
  const { client } = await openApp("/login", { NudgeCandidates: ({ after }) => page(after) });
  const all = await loadCandidates(client, { id: "c1", state: "LATE" });
  expect(all.map(({ name }) => name)).toEqual(["Имя a", "b@example.com"]);
  expect(page.mock.calls).toEqual([[null], ["1"]]);
});

test("more than a thousand students are nudged in several requests", async () => {
  const { client, asked } = await openApp("/login", {
    NudgeStudents: (variables) => {
      const { enrollmentIds } = (variables as { input: { enrollmentIds: string[] } }).input;
      return {
        nudgeStudents: {
          __typename: "NudgeStudentsPayload",
          nudged: enrollmentIds.slice(1),
          skipped: enrollmentIds.slice(0, 1),
        },
      };
    },
  });
  const ids = Array.from({ length: 1500 }, (_, number) => String(number));
  const result = await nudge(client, "c1", ids, "Продолжим?");
  expect(result).toEqual({ nudged: 1498, skipped: new Set(["0", "1000"]) });
  const sizes = asked
    .filter(({ name }) => name === "NudgeStudents")
    .map(({ variables }) => (variables as { input: { enrollmentIds: string[] } }).input.enrollmentIds.length);
  expect(sizes).toEqual([1000, 500]);
});

test("a candidate has the time of the last nudge", () => {
  expect(candidateOf({ ...student("a"), lastNudgedAt: "2026-11-29T11:00:00Z" }).lastNudgedAt).toBe(
    "2026-11-29T11:00:00Z",
  );
});
