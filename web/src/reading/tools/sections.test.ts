import { describe, expect, it } from "vitest";
import type { ContentNode } from "../../content/model";
import { sectionsOf } from "./sections";

const text = (words: string): ContentNode => ({ type: "text", text: words });
const heading = (level: number, words: string): ContentNode => ({
  type: "heading",
  attrs: { level },
  content: [text(words)],
});
const doc = (...content: ContentNode[]) => ({ type: "doc", content });

describe("the contents of a page", () => {
  it("have the headings of the first two ranks with their anchors", () => {
    const sections = sectionsOf(
      doc(heading(2, "Стек"), heading(3, "Куча"), heading(4, "Мелочь"), heading(2, "Стек")),
    );
    expect(sections).toEqual([
      { anchor: "стек", title: "Стек", isInner: false },
      { anchor: "куча", title: "Куча", isInner: true },
      { anchor: "стек-1", title: "Стек", isInner: false },
    ]);
  });

  it("count ranks and not the levels of the author, who may begin with the fourth", () => {
    const sections = sectionsOf(doc(heading(4, "Один"), heading(4, "Два"), heading(4, "Три")));
    expect(sections.map(({ isInner }) => isInner)).toEqual([false, false, false]);
  });

  it("have headings inside of other blocks, but not those that a collapsed part hides", () => {
    const sections = sectionsOf(
      doc(
        { type: "blockquote", content: [heading(2, "В цитате")] },
        { type: "details", content: [{ type: "detailsContent", content: [heading(2, "Скрыто")] }] },
        heading(2, "Второй"),
        heading(2, "Третий"),
      ),
    );
    expect(sections.map(({ title }) => title)).toEqual(["В цитате", "Второй", "Третий"]);
  });

  it("are empty with fewer than three headings", () => {
    expect(sectionsOf(doc(heading(2, "Один"), heading(2, "Два")))).toEqual([]);
    expect(sectionsOf(doc(heading(2, "Один"), heading(2, "…"), heading(2, "!")))).toEqual([]);
  });

  it.each([null, "text", {}, { type: "doc" }])("are empty for what is no document: %j", (content) => {
    expect(sectionsOf(content)).toEqual([]);
  });
});
