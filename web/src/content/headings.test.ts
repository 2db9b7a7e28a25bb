import { describe, expect, it } from "vitest";
import { placeHeadings } from "./headings";
import type { ContentNode } from "./model";

function heading(text: string, level = 2): ContentNode {
  return { type: "heading", attrs: { level }, content: [{ type: "text", text }] };
}

describe("placeHeadings", () => {
  const anchors = (...content: ContentNode[]) =>
    [...placeHeadings({ type: "doc", content }).values()].map((place) => place.anchor);

  it("numbers repeated anchors in reading order, inside other blocks too", () => {
    const quote: ContentNode = { type: "blockquote", content: [heading("Итоги"), heading("Другое")] };
    expect(anchors(heading("Итоги"), quote, heading("итоги!"))).toEqual([
      "итоги",
      "итоги-1",
      "другое",
      "итоги-2",
    ]);
  });

  it("reads a heading's text through its marks", () => {
    const code: ContentNode = { type: "text", text: "self", marks: [{ type: "code" }] };
    const marked = { ...heading("Слово "), content: [{ type: "text", text: "Слово " }, code] };
    expect(anchors(marked)).toEqual(["слово-self"]);
  });

  it("gives no anchor to a heading without letters", () => {
    expect(anchors(heading("…"), heading("!"))).toEqual([null, null]);
  });

  it.each([
    [
      [2, 3, 3, 2, 3, 4],
      [2, 3, 3, 2, 3, 4],
    ],
    [
      [1, 2, 3, 4, 1],
      [2, 3, 4, 5, 2],
    ],
    [
      [3, 3, 2, 3],
      [2, 2, 2, 3],
    ],
    [
      [2, 4, 4, 3, 2],
      [2, 3, 3, 3, 2],
    ],
    [[4], [2]],
  ])("levels %j stand at ranks %j: no rank is skipped and equals stay equal", (levels, ranks) => {
    const content = levels.map((level) => heading(`Уровень ${level}`, level));
    expect([...placeHeadings({ type: "doc", content }).values()].map((place) => place.rank)).toEqual(ranks);
  });
});
