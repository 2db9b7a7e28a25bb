import { expect, test } from "vitest";
import { descriptionProblem, titleProblem } from "./rules";

test.each([
  ["", "titleRequired"],
  ["   ", "titleRequired"],
  ["я", null],
  ["👍".repeat(255), null],
  ["я".repeat(256), "titleTooLong"],
])("a title has 1 to 255 characters: %#", (title, problem) => expect(titleProblem(title)).toBe(problem));

test("a description may be empty and has at most 255 characters", () => {
  expect(descriptionProblem("")).toBeNull();
  expect(descriptionProblem("я".repeat(255))).toBeNull();
  expect(descriptionProblem("я".repeat(256))).toBe("descriptionTooLong");
});
