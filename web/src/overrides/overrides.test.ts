import { beforeAll, describe, expect, test } from "vitest";
import type { Part } from "../dates/parts";
import { i18n } from "../i18n";
import { startI18n } from "../testing/startI18n";
import { none } from "./override.fixture";
import {
  countByPart,
  type DateLimit,
  editsOf,
  filtered,
  inputOf,
  isDeadlineTyped,
  labelsOf,
  limitsInput,
  limitsOf,
  modeOf,
  numberProblem,
  type Override,
  placeInput,
  typedDates,
  valuesOf,
  withoutSuggested,
} from "./overrides";

const NOW = new Date("2026-11-25T12:00:00Z");
const ZONE = "Europe/Moscow";

const part = (kind: Part["kind"], id: string, item: object, above: Part[] = []) =>
  ({ kind, id, item, above, number: 1 }) as unknown as Part;
const course = part("course", "c", { startsAt: null, endsAt: "2026-12-20T20:59:00Z" });
const lesson = part(
  "lesson",
  "l",
  { dueAt: "2026-12-01T20:59:00Z", availableUntil: "2026-12-10T20:59:00Z" },
  [course],
);
const quiz = part("page", "q", { kind: "QUIZ" }, [course, lesson]);
const reading = part("page", "r", { kind: "CONTENT", dueAt: "2026-12-03T20:59:00Z" }, [course, lesson]);

beforeAll(startI18n);

/** The effective dates of the quiz: it inherits the due date of its lesson. */
const current = (limit: DateLimit) => (limit === "dueAt" ? "2026-12-01T20:59:00Z" : null);

describe("the form", () => {
  test("a new override starts with the due date that holds, ready to be changed", () => {
    const values = valuesOf(undefined, quiz, "dates", current, ZONE, "ru");
    expect(values).toMatchObject({
      dueAtMode: "own",
      dueAt: "01.12.2026 23:59",
      availableUntilMode: "inherit",
    });
  });

  test("a new override of the course changes its end, because the course has no due date", () => {
    const values = valuesOf(
      undefined,
      course,
      "dates",
      (limit) => (limit === "availableUntil" ? "2026-12-20T20:59:00Z" : null),
      ZONE,
      "en",
    );
    expect(values).toMatchObject({ availableUntilMode: "own", availableUntil: "2026-12-20 23:59" });
    expect(limitsOf(course)).not.toContain("dueAt");
  });

  test("another attempt is one more than the override already gives", () => {
    const current = () => null;
    expect(valuesOf(undefined, quiz, "attempts", current, ZONE, "ru")).toMatchObject({
      extraAttemptsMode: "own",
      extraAttempts: "1",
      dueAtMode: "inherit",
    });
    const existing = { ...none, pageId: "q", extraAttempts: 2, lifted: ["DUE_AT" as const] };
    expect(valuesOf(existing, quiz, "attempts", current, ZONE, "ru")).toMatchObject({
      extraAttempts: "3",
      dueAtMode: "lift",
    });
    const lifted = { ...none, pageId: "q", lifted: ["EXTRA_ATTEMPTS" as const] };
    expect(valuesOf(lifted, quiz, "attempts", current, ZONE, "ru").extraAttemptsMode).toBe("lift");
  });

  test("another attempt is one more than the group gives, when the student has no number of their own", () => {
    const valuesFor = (own: Partial<Override> | undefined, ofGroup: Partial<Override>) =>
      valuesOf(own && { ...none, ...own }, quiz, "attempts", () => null, ZONE, "ru", { ...none, ...ofGroup });
    expect(valuesFor(undefined, { extraAttempts: 3 }).extraAttempts).toBe("4");
    expect(valuesFor({ dueAt: "2026-12-05T20:59:00Z" }, { extraAttempts: 3 }).extraAttempts).toBe("4");
    expect(valuesFor({ extraAttempts: 1 }, { extraAttempts: 3 }).extraAttempts).toBe("2");
    expect(valuesFor({ extraAttempts: 1 }, { lifted: ["EXTRA_ATTEMPTS"] }).extraAttempts).toBe("2");
    expect(valuesFor(undefined, { lifted: ["EXTRA_ATTEMPTS"] }).extraAttemptsMode).toBe("lift");
    expect(valuesFor(undefined, { extraAttempts: 100 }).extraAttempts).toBe("100");
  });

  test("the time for quizzes of a course, a module or a lesson stays when something else is changed", () => {
    const override = { ...none, lessonId: "l", dueAt: "2026-12-05T20:59:00Z", timeFactor: 1.5 };
    const values = valuesOf(override, lesson, "dates", () => null, ZONE, "ru");
    expect(limitsInput(lesson, { ...values, dueAtMode: "lift" }, NOW, "UTC")).toEqual({
      dueAt: null,
      timeFactor: 1.5,
    });
    expect(limitsOf(course)).toContain("timeFactor");
    expect(limitsOf(part("module", "m", {}))).toContain("timeFactor");
    expect(limitsOf(quiz)).toContain("timeFactor");
    expect(limitsOf(reading)).not.toContain("timeFactor");
  });

  test("the suggested date of a new override is inherited until it is touched", () => {
    const initial = valuesOf(undefined, quiz, "dates", current, ZONE, "ru");
    const longer = { ...initial, timeFactorMode: "own" as const, timeFactor: "2" };
    const saved = (typed: typeof initial, override?: Override) =>
      limitsInput(quiz, withoutSuggested(typed, initial, override), NOW, "UTC");
    expect(saved(longer)).toEqual({ timeFactor: 2 });
    expect(saved({ ...longer, dueAt: "9.12.2026" })).toEqual({ timeFactor: 2, dueAt: "2026-12-09" });
    expect(saved({ ...longer, dueAtMode: "lift" })).toEqual({ timeFactor: 2, dueAt: null });
    const existing = { ...none, pageId: "q", dueAt: "2026-12-01T20:59:00Z" };
    expect(saved(longer, existing)).toEqual({ timeFactor: 2, dueAt: "2026-12-01T23:59" });
  });

  test("effective dates are requested with typed dates only, not with incomplete ones", () => {
    const initial = valuesOf(undefined, quiz, "dates", () => null, ZONE, "ru");
    const typed = { ...initial, dueAt: "9.12.2026 18:00", availableUntilMode: "lift" as const };
    expect(typedDates(quiz, typed, NOW, ZONE)).toEqual({ dueAt: "2026-12-09T18:00", availableUntil: null });
    expect(typedDates(quiz, { ...initial, dueAt: "9.1" }, NOW, ZONE)).not.toHaveProperty("availableUntil");
    expect(typedDates(quiz, { ...initial, dueAt: "скоро" }, NOW, ZONE)).toEqual({});
    expect(typedDates(course, { ...typed, extraAttemptsMode: "lift" }, NOW, ZONE)).toEqual({
      availableUntil: null,
    });
  });

  test("earlier ends matter only after the deadline was changed", () => {
    const initial = valuesOf(undefined, quiz, "dates", current, ZONE, "ru");
    expect(isDeadlineTyped(initial, initial)).toBe(false);
    expect(isDeadlineTyped({ ...initial, timeFactorMode: "own", timeFactor: "2" }, initial)).toBe(false);
    expect(isDeadlineTyped({ ...initial, dueAt: "9.12.2026" }, initial)).toBe(true);
    expect(isDeadlineTyped({ ...initial, lateUntilMode: "own" }, initial)).toBe(true);
  });

  test("a date that nobody has touched keeps its seconds", () => {
    const stored = {
      ...none,
      pageId: "q",
      dueAt: "2026-12-01T20:59:59.5Z",
      lateUntil: "2026-12-08T20:59:59Z",
    };
    const typed = {
      ...valuesOf(stored, quiz, "dates", () => null, ZONE, "ru"),
      lateUntil: "9.12.2026 23:59",
    };
    expect(limitsInput(quiz, typed, NOW, ZONE, stored)).toEqual({
      dueAt: "2026-12-01T20:59:59.5Z",
      lateUntil: "2026-12-09T23:59",
    });
  });

  test("the suggested attempt is saved as it is", () => {
    const initial = valuesOf(undefined, quiz, "attempts", () => null, ZONE, "ru");
    expect(limitsInput(quiz, withoutSuggested(initial, initial, undefined), NOW, "UTC")).toEqual({
      extraAttempts: 1,
    });
  });

  test("what is typed stays with its mode for another part or person, if the part has it", () => {
    const initial = valuesOf(undefined, quiz, "dates", () => null, ZONE, "ru");
    const typed = {
      ...initial,
      dueAt: "9.12.2026",
      extraAttemptsMode: "own" as const,
      extraAttempts: "2",
      availableUntilMode: "lift" as const,
      lateUntil: "1.1.2027",
    };
    expect(editsOf(typed, initial, reading, false)).toEqual({
      dueAt: "9.12.2026",
      dueAtMode: "own",
      availableUntilMode: "lift",
    });
    expect(editsOf(initial, initial, quiz, false)).toEqual({});
    const inherited = { ...initial, dueAtMode: "inherit" as const };
    expect(editsOf(inherited, initial, quiz, false)).toEqual({});
    expect(editsOf(inherited, initial, quiz, true)).toEqual({ dueAtMode: "inherit" });
  });

  test("inherited limits are left out, lifted ones are null, and limits of other parts are not sent", () => {
    const values = {
      ...valuesOf(undefined, quiz, "attempts", () => null, ZONE, "ru"),
      dueAtMode: "own" as const,
      dueAt: "9.12.2026 18:00",
      availableUntilMode: "lift" as const,
      timeFactorMode: "own" as const,
      timeFactor: "1,5",
    };
    expect(limitsInput(quiz, values, NOW, "UTC")).toEqual({
      dueAt: "2026-12-09T18:00",
      availableUntil: null,
      extraAttempts: 1,
      timeFactor: 1.5,
    });
    expect(limitsInput(reading, values, NOW, "UTC")).toEqual({
      dueAt: "2026-12-09T18:00",
      availableUntil: null,
    });
  });

  test("numbers out of bounds are refused", () => {
    expect(["0", "100", " 7 "].map((text) => numberProblem("extraAttempts", text))).toEqual([
      null,
      null,
      null,
    ]);
    expect(numberProblem("extraAttempts", "101")).toBe("overrides.problem.extraAttempts");
    expect(numberProblem("extraAttempts", "")).toBe("overrides.problem.extraAttempts");
    expect(["1", "1,5", "5"].map((text) => numberProblem("timeFactor", text))).toEqual([null, null, null]);
    expect(numberProblem("timeFactor", "0.5")).toBe("overrides.problem.timeFactor");
    expect(numberProblem("timeFactor", "5.5")).toBe("overrides.problem.timeFactor");
  });
});

test("undoing a change sends every limit of the earlier override", () => {
  const before = {
    ...none,
    pageId: "q",
    dueAt: "2026-12-05T20:59:00Z",
    extraAttempts: 0,
    lifted: ["AVAILABLE_UNTIL" as const, "LATE_UNTIL" as const],
  };
  expect(inputOf(before, "c")).toEqual({
    courseId: "c",
    enrollmentId: "s",
    pageId: "q",
    dueAt: "2026-12-05T20:59:00Z",
    extraAttempts: 0,
    availableUntil: null,
    lateUntil: null,
  });
  expect(modeOf(before, "extraAttempts")).toBe("own");
});

test("an override of the course names no part, and one of a group no student", () => {
  expect(placeInput("c", { kind: "group", id: "g", name: "10-А" }, course)).toEqual({
    courseId: "c",
    groupId: "g",
  });
});

test("overrides are counted by their part", () => {
  const of = (changed: Partial<Override>) => ({ ...none, ...changed });
  const counts = countByPart([of({}), of({ pageId: "q" }), of({ pageId: "q" })], "c");
  expect([...counts]).toEqual([
    ["c", 1],
    ["q", 2],
  ]);
});

describe("the list", () => {
  const ofGroup = { ...none, id: "og", group: { id: "g", title: "Анна" }, student: null, pageId: "q" };
  const other = { ...none, id: "oo", student: { id: "s2", fullName: "Борис", email: "boris@example.com" } };

  test("students with the same name are told apart by their emails", () => {
    const namesake = {
      ...none,
      id: "on",
      student: { id: "s3", fullName: "Анна", email: "anna3@example.com" },
    };
    const mailOnly = { ...none, id: "om", student: { id: "s4", fullName: null, email: "nn@example.com" } };
    expect([...labelsOf([none, ofGroup, other, namesake, mailOnly], i18n.t)]).toEqual([
      ["s", "Анна · anna@example.com"],
      ["g", "Группа «Анна»"],
      ["s2", "Борис"],
      ["s3", "Анна · anna3@example.com"],
      ["s4", "nn@example.com"],
    ]);
  });

  test("a filter by someone without overrides or by a deleted part filters nothing", () => {
    const all = [none, ofGroup, other];
    expect(filtered(all, "c", [course, quiz], { whom: "g", part: "q" }).shown).toEqual([ofGroup]);
    expect(filtered([none, other], "c", [course, quiz], { whom: "g", part: undefined })).toEqual({
      whom: "",
      part: undefined,
      shown: [none, other],
    });
    expect(filtered(all, "c", [course], { whom: "", part: "q" })).toMatchObject({
      part: undefined,
      shown: all,
    });
    expect(filtered([none], "c", [course, quiz], { whom: "", part: "q" })).toMatchObject({
      part: "q",
      shown: [],
    });
  });
});
