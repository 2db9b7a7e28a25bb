import { describe, expect, test } from "vitest";
import { said } from "./testing";
import { lengthProblem, wordsOf } from "./words";

const text = (words: string, marks?: { type: string }[]) => ({
  type: "text",
  text: words,
  ...(marks && { marks }),
});
const paragraph = (...content: object[]) => ({ type: "paragraph", content });

describe("the words of an answer", () => {
  test.each([
    [null, 0],
    [said(""), 0],
    [said("— … !"), 0],
    [said("Что-то  д’Артаньян, 1984 год."), 4],
    [said("и/или один,два — ½"), 3],
    [
      {
        type: "doc",
        content: [paragraph(text("сила "), { type: "inlineMath", attrs: { latex: "F = ma" } })],
      },
      3,
    ],
    [{ type: "doc", content: [paragraph(text("сло", [{ type: "bold" }]), text("во"))] }, 1],
    [{ type: "doc", content: [paragraph(text("раз"), { type: "hardBreak" }, text("два"))] }, 2],
    [
      {
        type: "doc",
        content: [
          paragraph(text("раз")),
          { type: "bulletList", content: [{ type: "listItem", content: [paragraph(text("два три"))] }] },
        ],
      },
      3,
    ],
  ])("%#: %i", (content, count) => expect(wordsOf(content)).toBe(count));

  test("are reported only outside the bounds, and an empty answer is not reported", () => {
    const bounds = { minWords: 3, maxWords: 5 };
    const text = (text: string) => ({
      type: "doc",
      content: [{ type: "paragraph", content: text === "" ? [] : [{ type: "text", text }] }],
    });
    const words = (count: number) => text("word ".repeat(count).trim());
    expect([0, 1, 2, 3, 5, 6].map((count) => lengthProblem(words(count), bounds))).toEqual([
      null,
      "short",
      "short",
      null,
      null,
      "long",
    ]);
    expect(lengthProblem(text("—"), bounds), "an answer without words is one").toBe("short");
    expect(lengthProblem(undefined, bounds)).toBeNull();
    expect(lengthProblem(words(1), { minWords: null, maxWords: null })).toBeNull();
  });
});
