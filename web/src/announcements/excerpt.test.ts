import { expect, test } from "vitest";
import { excerptOf } from "./excerpt";
import { aText } from "./testing";

const paragraph = (...texts: string[]) => ({
  type: "paragraph",
  content: texts.map((text) => ({ type: "text", text })),
});

test("an excerpt is the text of the blocks in one line", () => {
  const content = [
    paragraph("Встречаемся в ", "пятницу."),
    { type: "image", attrs: { src: "/files/a.png" } },
    { type: "bulletList", content: [{ type: "listItem", content: [paragraph("Ссылка прежняя")] }] },
  ];
  expect(excerptOf({ type: "doc", content })).toBe("Встречаемся в пятницу. Ссылка прежняя");
});

test("a long text is cut at a word", () => {
  const excerpt = excerptOf(aText("слово ".repeat(200)));
  expect(excerpt.length).toBeLessThanOrEqual(240);
  expect(excerpt.endsWith("слово")).toBe(true);
});

test("what is no document has no excerpt", () => {
  expect(excerptOf(null)).toBe("");
  expect(excerptOf({ type: "doc", content: [{ type: "paragraph" }] })).toBe("");
});
