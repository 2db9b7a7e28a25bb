import fc from "fast-check";
import { expect, test } from "vitest";
import { placeHash, placeOf } from "./foundPlace";

const snippet = (words: string[], block: number | null, questionId: string | null = null) => ({
  parts: words.flatMap((text) => [
    { text: "… и ", matched: false },
    { text, matched: true },
  ]),
  block,
  questionId,
});

test("the matched words and the block round-trip through the URL", () => {
  const hash = placeHash(snippet(["циклы", "Циклы", "C++", "50%"], 12));
  expect(placeOf(`#${hash}`)).toEqual({
    words: ["Циклы", "C++", "50%"],
    before: "и",
    block: 12,
    questionId: null,
  });
});

test("a place in a quiz names its question", () => {
  const hash = placeHash(snippet(["сила"], null, "q-1"));
  expect(placeOf(`#${hash}`)).toEqual({ words: ["сила"], before: "и", block: null, questionId: "q-1" });
});

test.each(["", "#", "#введение", "#question-3", "#main"])("%s is no place of a search result", (hash) =>
  expect(placeOf(hash)).toBeNull(),
);

test("a changed address is read without an error", () => {
  expect(placeOf("#find=&block=-1")).toEqual({ words: [], before: "", block: null, questionId: null });
  fc.assert(
    fc.property(fc.string(), (rest) => {
      expect(placeOf(`#find=${rest}`)?.words.length).toBeLessThan(9);
    }),
  );
});
