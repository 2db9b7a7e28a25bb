import { describe, expect, it } from "vitest";
import type { ContentNode } from "../../content/model";
import { readingMinutes } from "./readingTime";

const text = (words: string): ContentNode => ({ type: "text", text: words });
const paragraph = (...content: ContentNode[]): ContentNode => ({ type: "paragraph", content });
const words = (count: number) => text(Array(count).fill("слово").join(" "));
const doc = (...content: ContentNode[]) => ({ type: "doc", content });

describe("the reading time", () => {
  it.each([
    [179, null],
    [180, 1],
    [269, 1],
    [270, 2],
    [900, 5],
  ])("of %i words is %s minutes", (count, minutes) => {
    expect(readingMinutes(doc(paragraph(words(count))))).toBe(minutes);
  });

  it("counts a word once that is bold in part, and one with a hyphen", () => {
    const part = Array(90).fill([text("сло"), { ...text("во"), marks: [{ type: "bold" }] }, text(" из-за ")]);
    expect(readingMinutes(doc(paragraph(...part.flat())))).toBe(1);
    expect(readingMinutes(doc(paragraph(...part.slice(1).flat())))).toBeNull();
  });

  it("counts code by its lines, without empty ones", () => {
    const code = (lines: number) => ({
      type: "codeBlock",
      content: [text(Array(lines).fill("let x = f(a, b, c, d, e, f);\n\n").join(""))],
    });
    expect(readingMinutes(doc(code(20)))).toBe(1);
    expect(readingMinutes(doc(code(19)))).toBeNull();
  });

  it("counts pictures with their captions, and formulas", () => {
    const image = { type: "image", attrs: { caption: Array(30).fill("слово").join(" ") } };
    expect(readingMinutes(doc(image, image, image))).toBe(1);
    const formulas = Array(6).fill({ type: "blockMath", attrs: { latex: "x" } });
    expect(readingMinutes(doc(...formulas, paragraph(...Array(6).fill({ type: "inlineMath" }))))).toBe(1);
  });

  it("counts the words of a paragraph beside its formulas", () => {
    expect(readingMinutes(doc(paragraph(words(90), { type: "inlineMath" }, words(90))))).toBe(1);
  });

  it("counts lists and tables, and neither videos nor embedded pages", () => {
    const cell = { type: "tableCell", content: [paragraph(words(60))] };
    const table = { type: "table", content: [{ type: "tableRow", content: [cell, cell, cell] }] };
    expect(readingMinutes(doc(table))).toBe(1);
    expect(readingMinutes(doc(...Array(50).fill({ type: "video" }), { type: "embed" }))).toBeNull();
  });

  it.each([null, 5, {}, { type: "doc", content: "no list" }])("is unknown for %j", (content) => {
    expect(readingMinutes(content)).toBeNull();
  });
});
