import { afterEach, expect, test, vi } from "vitest";
import { MAX_COMMENTS, recentComments, rememberComment } from "./comments";

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test("comments on a question are stored per grader, latest first", () => {
  rememberComment("anna", "q", "Хорошо");
  rememberComment("anna", "q", "Нет примера");
  expect(rememberComment("anna", "q", " Хорошо ")).toEqual(["Хорошо", "Нет примера"]);
  expect(rememberComment("anna", "q", " ")).toEqual(["Хорошо", "Нет примера"]);
  expect(recentComments("anna", "q")).toEqual(["Хорошо", "Нет примера"]);
  expect(recentComments("petr", "q")).toEqual([]);
  expect(recentComments("anna", "other")).toEqual([]);
});

test("the numbers of comments per question and of questions are limited", () => {
  for (let at = 0; at < 12; at += 1) rememberComment("anna", "q", `Комментарий ${at}`);
  expect(recentComments("anna", "q")).toHaveLength(MAX_COMMENTS);
  vi.useFakeTimers();
  for (let at = 0; at <= 100; at += 1) {
    vi.setSystemTime(at);
    rememberComment("anna", `q${at}`, "Хорошо");
  }
  vi.useRealTimers();
  expect(Object.keys(localStorage)).toHaveLength(100);
});

test.each(["", "null", "{", "[]", '{"comments":1}'])(
  "stored text that cannot be read is none: %j",
  (text) => {
    localStorage.setItem("grading-comments:anna:q", text);
    expect(recentComments("anna", "q")).toEqual([]);
  },
);

test("without local storage, comments are offered until the screen is closed", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  expect(rememberComment("anna", "q", "Хорошо")).toEqual(["Хорошо"]);
});
