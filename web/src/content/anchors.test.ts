import { describe, expect, it } from "vitest";
import { anchorOf, headingAnchors } from "./anchors";
import type { ContentNode } from "./model";

describe("anchorOf", () => {
  it.each([
    ["Стек и куча", "стек-и-куча"],
    ["Hello, Cargo!", "hello-cargo"],
    ["snake_case и kebab-case", "snake_case-и-kebab-case"],
    ["Что такое «владение»?", "что-такое-владение"],
    ["A  B", "a--b"],
    ["Tab\there", "tab-here"],
    ["`match` x 2", "match-x-2"],
    ["Ёлка №5", "ёлка-5"],
    ["!?", ""],
  ])("%s → %s", (text, anchor) => {
    expect(anchorOf(text)).toBe(anchor);
  });
});

describe("headingAnchors", () => {
  const heading = (text: string): ContentNode => ({
    type: "heading",
    attrs: { level: 2 },
    content: [{ type: "text", text }],
  });

  it("numbers repeated headings in reading order, inside other blocks too", () => {
    const headings = [heading("Итоги"), heading("Итоги"), heading("Другое"), heading("итоги!")];
    const [first, second, third, fourth] = headings as [ContentNode, ContentNode, ContentNode, ContentNode];
    const anchors = headingAnchors({
      type: "doc",
      content: [first, { type: "blockquote", content: [second, third] }, fourth],
    });
    expect(headings.map((one) => anchors.get(one))).toEqual(["итоги", "итоги-1", "другое", "итоги-2"]);
  });

  it("reads a heading's text through its marks", () => {
    const marked: ContentNode = {
      type: "heading",
      attrs: { level: 2 },
      content: [
        { type: "text", text: "Ключевое слово " },
        { type: "text", text: "self", marks: [{ type: "code" }] },
      ],
    };
    expect(headingAnchors({ type: "doc", content: [marked] }).get(marked)).toBe("ключевое-слово-self");
  });

  it("gives no anchor to a heading without letters", () => {
    const empty = heading("…");
    expect(headingAnchors({ type: "doc", content: [empty] }).has(empty)).toBe(false);
  });
});
