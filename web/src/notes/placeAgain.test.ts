import { expect, test } from "vitest";
import { placeAgain } from "./placeAgain";

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const textOf = (...words: string[]) => ({ type: "doc", content: words.map(paragraph) });
const place = { block: 0, start: 2, quote: "имя", version: 1 };

test("a place stays in the text in which it was chosen", () => {
  expect(placeAgain(place, { version: 1, content: textOf("Другое") })).toEqual(place);
});

test("in another text the words are found where they are once, counted in code points", () => {
  const found = placeAgain(place, { version: 2, content: textOf("Новое", "😀 имя со значением") });
  expect(found).toEqual({ block: 1, start: 2, quote: "имя", version: 2 });
});

test("words that are there twice or not at all have no place", () => {
  expect(placeAgain(place, { version: 2, content: textOf("имя и имя") })).toBeNull();
  expect(placeAgain(place, { version: 2, content: textOf("имя", "имя") })).toBeNull();
  expect(placeAgain(place, { version: 2, content: textOf("слово") })).toBeNull();
});
