import { describe, expect, test } from "vitest";
import { ageOf, knownPart, pagesOf, parseAnswerKey, parsePoints, unreleasedPages } from "./queue";

const question = (pageId: string, questionId: string, unreleased = 0) => ({
  pageId,
  pageTitle: `Тест ${pageId}`,
  questionId,
  number: 1,
  prompt: "Почему?",
  waiting: 1,
  unreleased,
});
const questions = [question("p", "a", 2), question("r", "c"), question("p", "b", 1)];

describe("the address of the grading queue", () => {
  test.each([
    ["attempt:question", { attemptId: "attempt", questionId: "question" }],
    [undefined, null],
    ["attempt", null],
    [":question", null],
    ["a:b:c", null],
  ])("an answer: %s", (key, id) => expect(parseAnswerKey(key)).toEqual(id));

  test.each([
    [undefined, null, null],
    ["p", "p", null],
    ["p:b", "p", "b"],
    ["gone", null, null],
    ["p:c", null, null],
  ])("a part: %s", (part, pageId, questionId) => {
    expect(knownPart(part, questions)).toEqual({ pageId, questionId });
  });

  test("is accepted while the questions are not loaded", () => {
    expect(knownPart("p:b", undefined)).toEqual({ pageId: "p", questionId: "b" });
  });
});

test("questions are listed by page, and points are released by page", () => {
  expect(pagesOf(questions).map((page) => page.map(({ questionId }) => questionId))).toEqual([
    ["a", "b"],
    ["c"],
  ]);
  expect(unreleasedPages(questions, null)).toEqual([{ pageId: "p", title: "Тест p", count: 3 }]);
  expect(unreleasedPages(questions, "r")).toEqual([]);
});

test.each([
  ["4,5", 4.5],
  [" 5 ", 5],
  ["0", 0],
  ["4.25", 4.25],
  ["6", null],
  ["-1", null],
  ["0,1255", 0.1255],
  ["1,23456", null],
  ["", null],
  ["пять", null],
])("points: %j of 5 are %j", (typed, points) => expect(parsePoints(typed, 5)).toBe(points));

test.each([
  ["2026-11-26T10:00:00Z", "сейчас"],
  ["2026-11-26T09:30:30Z", "29 минут назад"],
  ["2026-11-26T08:00:00Z", "2 часа назад"],
  ["2026-11-20T10:00:00Z", "6 дней назад"],
  ["2026-11-26T11:00:00Z", "сейчас"],
])("the age of what was submitted at %s: %s", (at, age) => {
  expect(ageOf(at, new Date("2026-11-26T10:00:00Z"), "ru")).toBe(age);
});
