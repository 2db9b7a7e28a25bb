import { expect, test } from "vitest";
import { placeAgain } from "./placeAgain";

const page = (version: number, ...words: string[]) => ({
  version,
  content: {
    type: "doc",
    content: words.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })),
  },
});

test("a place of the text on the screen stays as it is, even without words", () => {
  const place = { block: 1, quote: "", version: 3 };
  expect(placeAgain(place, page(3, "а", "б"))).toEqual(place);
});

test("after a change the block is found by its words, the nearest first", () => {
  const place = { block: 1, quote: "цикл while", version: 3 };
  const now = page(4, "цикл  while", "новое", "ещё", "про цикл while здесь");
  expect(placeAgain(place, now)).toEqual({ block: 0, quote: "цикл while", version: 4 });
  expect(placeAgain({ ...place, block: 2 }, now)?.block).toBe(3);
});

test("words that are gone, and a block without words, have no place any more", () => {
  expect(placeAgain({ block: 0, quote: "цикл", version: 3 }, page(4, "новое"))).toBeNull();
  expect(placeAgain({ block: 0, quote: " ", version: 3 }, page(4, "новое"))).toBeNull();
});
