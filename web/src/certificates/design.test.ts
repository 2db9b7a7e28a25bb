import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  changesOf,
  type Design,
  headingProblem,
  inserted,
  monthsProblem,
  percentProblem,
  typedOf,
} from "./design";

const design: Design = {
  courseId: "c",
  isOn: false,
  basis: "COMPLETION",
  minPercent: 80,
  validMonths: null,
  hasGrade: false,
  language: "RU",
  heading: "Сертификат",
  text: "подтверждает успешное завершение курса «{course}»",
  accent: "#1c6a52",
  background: "#ffffff",
  signer: "",
  logoUrl: null,
  signatureUrl: null,
  previewUrl: "/c/preview/c",
};
const stored = typedOf(design);

describe("what the server is told", () => {
  test("is only what was changed", () => {
    expect(changesOf(stored, stored)).toEqual({});
    expect(changesOf({ ...stored, isOn: true, heading: " Диплом " }, stored)).toEqual({
      isOn: true,
      heading: "Диплом",
    });
  });

  test("has numbers as numbers, and no months for certificates without an end", () => {
    const yearly = { ...stored, validMonths: " 12 " };
    expect(changesOf(yearly, stored)).toEqual({ validMonths: 12 });
    expect(changesOf({ ...yearly, validMonths: " " }, yearly)).toEqual({ validMonths: null });
    const graded = { ...stored, basis: "GRADE", minPercent: "65" } as const;
    expect(changesOf(graded, stored)).toEqual({ basis: "GRADE", minPercent: 65 });
  });

  test("has no threshold whose field is not shown", () => {
    expect(changesOf({ ...stored, minPercent: "много" }, stored)).toEqual({});
  });
});

test("numbers are checked as they are typed", () => {
  expect(["0", "100", " 80 "].map(percentProblem)).toEqual([null, null, null]);
  expect(["", "-1", "101", "80,5", "1e1"].map(percentProblem)).not.toContain(null);
  expect(["", " ", "1", "1200"].map(monthsProblem)).toEqual([null, null, null, null]);
  expect(["0", "1201", "полгода"].map(monthsProblem)).not.toContain(null);
});

test("a heading has 1 to 80 characters, counted as the server does", () => {
  expect(headingProblem(" ")).toBe("courseSettings.certificates.headingRequired");
  expect(headingProblem("😀".repeat(80))).toBeNull();
  expect(headingProblem("я".repeat(81))).toBe("courseSettings.certificates.headingLong");
});

describe("a placeholder in the text", () => {
  test("replaces what is selected and gets spaces between words", () => {
    expect(inserted("прошёл курс", 7, 11, "course")).toEqual({ text: "прошёл {course}", caret: 15 });
    expect(inserted("прошёл", 6, 6, "course").text).toBe("прошёл {course}");
    expect(inserted("курс «»", 6, 6, "course").text).toBe("курс «{course}»");
    expect(inserted("", 0, 0, "name")).toEqual({ text: "{name}", caret: 6 });
  });

  test("loses nothing of the text around it", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (text, at) => {
        const place = Math.min(at, text.length);
        const put = inserted(text, place, place, "date");
        expect(put.text.startsWith(text.slice(0, place))).toBe(true);
        expect(put.text.endsWith(text.slice(place))).toBe(true);
        expect(put.text.slice(0, put.caret)).toContain("{date}");
      }),
    );
  });
});
