import { describe, expect, it } from "vitest";
import type { ContentNode } from "../../content/model";
import { blockInChanged, headingAbove } from "./changedPlace";

const text = (words: string): ContentNode => ({ type: "text", text: words });
const heading = (words: string): ContentNode => ({
  type: "heading",
  attrs: { level: 2 },
  content: [text(words)],
});
const some: ContentNode = { type: "paragraph", content: [text("слова")] };
const doc = (...content: ContentNode[]) => ({ type: "doc", content });

const page = doc(some, some, heading("Стек"), some, heading("Куча"), some);

describe("the heading above a block", () => {
  it.each([
    [0, null],
    [1, null],
    [2, "стек"],
    [3, "стек"],
    [5, "куча"],
    [99, "куча"],
  ])("of block %i is %s", (block, anchor) => {
    expect(headingAbove(page, block)).toBe(anchor);
  });

  it("may be inside of another block", () => {
    expect(headingAbove(doc({ type: "blockquote", content: [heading("Цитата")] }, some), 1)).toBe("цитата");
  });

  it("is none in what is no document", () => {
    expect(headingAbove(null, 3)).toBeNull();
  });
});

describe("a place in a changed text", () => {
  it("follows its heading", () => {
    const changed = doc(some, heading("Новое"), some, some, some, heading("Куча"), some);
    expect(blockInChanged(changed, { block: 5, heading: "куча" })).toBe(5);
  });

  it("is the start of the page when the heading is gone", () => {
    expect(blockInChanged(doc(some, heading("Новое"), some), { block: 2, heading: "куча" })).toBeNull();
  });

  it("above the first heading is the block with its number, as far as there is one", () => {
    expect(blockInChanged(page, { block: 1, heading: null })).toBe(1);
    expect(blockInChanged(doc(some, some, some, heading("Стек")), { block: 9, heading: null })).toBe(2);
    expect(blockInChanged(doc(heading("Стек"), some), { block: 3, heading: null })).toBeNull();
    expect(blockInChanged(doc(some, some, some), { block: 9, heading: null })).toBe(2);
    expect(blockInChanged({}, { block: 9, heading: null })).toBeNull();
  });
});
