import { describe, expect, test } from "vitest";
import { type Change, changed, choiceIn, KINDS, type Preferences, replaces } from "./changes";

const choice = (kind: Preferences["choices"][number]["kind"], mail: "OFF" | "ONCE" | "DAILY" = "ONCE") => ({
  __typename: "NoticeChoice" as const,
  kind,
  inApp: true,
  mail,
  push: true,
  isDefault: true,
});
const preferences = {
  __typename: "NoticePreferences",
  language: "RU",
  timeZone: "UTC",
  quietHours: null,
  isStored: false,
  choices: [choice("GRADED"), choice("MENTION")],
  courses: [
    { course: { id: "c1", title: "Основы Rust" }, choices: [choice("MENTION", "DAILY")] },
    { course: { id: "c2", title: null }, choices: [] },
  ],
} as unknown as Preferences;
const mailsOf = (one: Preferences) => one.choices.map(({ kind, mail }) => `${kind} ${mail}`);
const mailsIn = (one: Preferences, at: number) =>
  one.courses[at]?.choices.map(({ kind, mail }) => `${kind} ${mail}`);
const choose = (kind: "GRADED" | "MENTION", courseId?: string): Change => ({
  what: "choose",
  input: { kind, inApp: true, mail: "OFF", ...(courseId && { courseId }) },
});

describe("a change is shown before it is stored", () => {
  test("of a kind in all courses", () => {
    const after = changed(preferences, choose("MENTION"));
    expect(mailsOf(after)).toEqual(["GRADED ONCE", "MENTION OFF"]);
    expect(mailsIn(after, 0)).toEqual(["MENTION DAILY"]);
    expect(after.choices[1]?.isDefault).toBe(false);
  });

  test("of a kind in a course, which has a choice of its own or gets one", () => {
    expect(mailsIn(changed(preferences, choose("MENTION", "c1")), 0)).toEqual(["MENTION OFF"]);
    expect(mailsIn(changed(preferences, choose("GRADED", "c1")), 0)).toEqual(["MENTION DAILY", "GRADED OFF"]);
    expect(mailsIn(changed(preferences, choose("GRADED", "c2")), 1)).toEqual(["GRADED OFF"]);
  });

  test("of pushes, which stay as they are unless they are chosen", () => {
    const pushOf = (one: Preferences) => one.choices.map(({ push }) => push);
    expect(pushOf(changed(preferences, choose("MENTION")))).toEqual([true, true]);
    const input = { kind: "MENTION" as const, inApp: true, mail: "OFF" as const, push: false };
    const silent = changed(preferences, { what: "choose", input });
    expect(pushOf(silent)).toEqual([true, false]);
    // A course without a choice of its own follows that for all courses.
    const ofCourse = changed(silent, choose("MENTION", "c2"));
    expect(ofCourse.courses[1]?.choices[0]?.push).toBe(false);
  });

  test("of a course that is as all others again", () => {
    const after = changed(preferences, { what: "reset", input: { kind: "MENTION", courseId: "c1" } });
    expect(mailsIn(after, 0)).toEqual([]);
  });

  test("but not the default, which only the server knows", () => {
    expect(changed(preferences, { what: "reset", input: { kind: "GRADED" } })).toBe(preferences);
  });

  test("of the settings", () => {
    const input = {
      language: "EN" as const,
      timeZone: "Europe/Moscow",
      quietHours: { from: "22:00", until: "08:00" },
    };
    expect(changed(preferences, { what: "settings", input })).toMatchObject({ ...input, isStored: true });
  });
});

test("a later change replaces an earlier one of the same choice only", () => {
  expect(replaces(choose("MENTION"), choose("MENTION"))).toBe(true);
  expect(replaces({ what: "reset", input: { kind: "MENTION" } }, choose("MENTION"))).toBe(true);
  expect(replaces(choose("MENTION"), choose("GRADED"))).toBe(false);
  expect(replaces(choose("MENTION"), choose("MENTION", "c1"))).toBe(false);
  const settings: Change = { what: "settings", input: { language: "EN", timeZone: "UTC" } };
  expect(replaces(settings, settings)).toBe(true);
  expect(replaces(settings, choose("MENTION"))).toBe(false);
});

test("in a course its own choice holds, else that for all courses", () => {
  expect(choiceIn(preferences, "c1", "MENTION")?.mail).toBe("DAILY");
  expect(choiceIn(preferences, "c2", "MENTION")?.mail).toBe("ONCE");
});

test("each kind is in one part of the table", () => {
  const kinds = [...KINDS.learning, ...KINDS.teaching];
  expect(new Set(kinds).size).toBe(kinds.length);
  expect(kinds).toHaveLength(16);
});
