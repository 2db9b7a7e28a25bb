import { describe, expect, test } from "vitest";
import { contrast } from "../ui/contrast";
import { PRESETS } from "./design";
import { paletteOf } from "./palette";
import { filled, monthsLater, signerOf } from "./sample";

const values = { name: "Анна", course: "Узлы", date: "1 мая 2027 г.", grade: "95 %", number: "7" };
const textOf = (template: string, grade: string | null = values.grade) =>
  filled(template, { ...values, grade })
    .map(({ text }) => text)
    .join("");

describe("the text of a certificate", () => {
  test("has values in place of their names, the course in strong letters", () => {
    expect(filled("прошла «{course}»", values)).toEqual([
      { text: "прошла «", isStrong: false },
      { text: "Узлы", isStrong: true },
      { text: "»", isStrong: false },
    ]);
    expect(textOf("{name}, {date}, {grade}, № {number}")).toBe("Анна, 1 мая 2027 г., 95 %, № 7");
  });

  test("keeps what is no name of a value", () => {
    expect(textOf("{имя} {} {course")).toBe("{имя} {} {course");
  });

  test("has no line about a missing grade, unless it is the only one", () => {
    expect(textOf("прошла {course}\nс оценкой {grade}", null)).toBe("прошла Узлы");
    expect(textOf("прошла {course} с оценкой {grade}", null)).toBe("прошла Узлы с оценкой —");
  });

  test("is tidied", () => {
    expect(textOf("  a  b \n\n\n\n c \n")).toBe("a b\n\nc");
    expect(filled(" \n ", values)).toEqual([]);
  });
});

test("the position of a signer stands after the first comma", () => {
  expect(signerOf("Анна Петрова, ректор, профессор")).toEqual({
    name: "Анна Петрова",
    post: "ректор, профессор",
  });
  expect(signerOf(" Анна ")).toEqual({ name: "Анна", post: "" });
});

test("months later is the same day, or the last of a shorter month", () => {
  const later = (from: Date, months: number) => {
    const end = monthsLater(from, months);
    return [end.getFullYear(), end.getMonth() + 1, end.getDate()];
  };
  expect(later(new Date(2027, 0, 31), 1)).toEqual([2027, 2, 28]);
  expect(later(new Date(2027, 10, 15), 14)).toEqual([2029, 1, 15]);
});

describe("the colours of a certificate", () => {
  test("are legible on every background", () => {
    const steps = ["00", "33", "66", "99", "cc", "ff"];
    for (const red of steps)
      for (const green of steps)
        for (const blue of steps) {
          const background = `#${red}${green}${blue}`;
          for (const accent of ["#000000", "#ffffff", "#b3261e", background]) {
            const { text, muted, accent: mark } = paletteOf({ accent, background });
            expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5);
            expect(contrast(muted, background)).toBeGreaterThanOrEqual(4.5);
            expect(contrast(mark, background)).toBeGreaterThanOrEqual(3);
          }
        }
  });

  test("stay as chosen if they are legible", () => {
    expect(paletteOf({ accent: "#7a1f3d", background: "#ffffff" }).accent).toBe("#7a1f3d");
    expect(paletteOf({ accent: "#ffff99", background: "#ffffff" }).accent).not.toBe("#ffff99");
  });

  test("of the list are legible also as small text", () => {
    for (const preset of PRESETS) {
      expect(paletteOf(preset).accent).toBe(preset.accent);
      expect(contrast(preset.accent, preset.background), preset.name).toBeGreaterThanOrEqual(4.5);
    }
  });
});
