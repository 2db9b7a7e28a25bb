import { describe, expect, test } from "vitest";
import { mergeWords, textOf, wordsOf, wordsProblem } from "./words";

test("each line is a word or a phrase, without spaces around it, once", () => {
  expect(wordsOf("  дурак \n\nготовые   ответы\nдурак\n")).toEqual(["дурак", "готовые ответы"]);
  expect(wordsOf(" \n")).toEqual([]);
  expect(wordsOf(textOf(["а", "б в"]))).toEqual(["а", "б в"]);
});

describe("two changes of the words", () => {
  test.each([
    ["nobody else changed them", ["a", "b"], ["a", "c"], ["a", "b"], ["a", "c"]],
    ["a colleague added one", ["a"], ["a", "b"], ["a", "x"], ["a", "x", "b"]],
    ["a colleague removed one", ["a", "b"], ["a", "b", "c"], ["b"], ["b", "c"]],
    ["both added the same", ["a"], ["a", "b"], ["a", "b"], ["a", "b"]],
    ["both removed the same", ["a", "b"], ["a"], ["a"], ["a"]],
    ["all were removed here, and one was added there", ["a", "b"], [], ["a", "b", "x"], ["x"]],
  ])("%s", (_, read, typed, stored, merged) => {
    expect(mergeWords(read, typed, stored)).toEqual(merged);
  });
});

test("the limits are the server's", () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `слово ${at}`);
  expect(wordsProblem(words(100))).toBeNull();
  expect(wordsProblem(words(101))).toBe("tooMany");
  expect(wordsProblem(["я".repeat(50)])).toBeNull();
  expect(wordsProblem(["я".repeat(51)])).toBe("tooLong");
});
