import { describe, expect, test } from "vitest";
import {
  descriptionProblem,
  emailProblem,
  itemDescriptionProblem,
  nameProblem,
  optionalTitleProblem,
  titleProblem,
} from "./rules";

describe("the rules of typed values", () => {
  test.each([
    ["", "forms.titleRequired"],
    ["  ", "forms.titleRequired"],
    ["Курс", null],
    [`  ${"👍".repeat(255)}  `, null],
    ["я".repeat(256), "forms.titleTooLong"],
  ])("a title has 1 to 255 characters, whatever their encoding: %#", (title, problem) =>
    expect(titleProblem(title)).toBe(problem),
  );

  test("a page may have no title", () => {
    expect(optionalTitleProblem("")).toBeNull();
    expect(optionalTitleProblem("я".repeat(256))).toBe("forms.titleTooLong");
  });

  test("a description and a name may be missing, and have a limit", () => {
    for (const [check, most] of [
      [descriptionProblem, 10_000],
      [itemDescriptionProblem, 255],
      [nameProblem, 255],
    ] as const) {
      expect(check("")).toBeNull();
      expect(check("👍".repeat(most))).toBeNull();
      expect(check("я".repeat(most + 1))).not.toBeNull();
    }
  });

  test.each([
    ["", "forms.emailRequired"],
    [" ", "forms.emailRequired"],
    ["anna", "forms.emailPattern"],
    ["anna@example", "forms.emailPattern"],
    ["anna@example..com", "forms.emailPattern"],
    ["anna@example.com, ivan@example.com", "forms.emailPattern"],
    [" anna@example.com ", null],
  ])("%j is checked as an address", (email, problem) => expect(emailProblem(email)).toBe(problem));
});
