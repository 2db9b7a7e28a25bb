import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContentNode } from "../../content/model";
import { mergeBlocks } from "./mergeBlocks";

const paragraph = (text: string): ContentNode => ({ type: "paragraph", content: [{ type: "text", text }] });
const doc = (letters: string) => ({ type: "doc", content: [...letters].map(paragraph) });
const shown = (blocks: ContentNode[]) => blocks.map((block) => block.content?.[0]?.text).join("");
const merge = (base: string, mine: string, theirs: string) =>
  mergeBlocks(doc(base), doc(mine), doc(theirs))
    .map((part) =>
      part.kind === "settled" ? shown(part.blocks) : `(${shown(part.mine)}|${shown(part.theirs)})`,
    )
    .join("");

test.each([
  ["the changes of different blocks are both taken", "абвг", "Абвг", "абвГ", "АбвГ"],
  ["a block that one deleted and nobody changed is gone", "абвг", "авг", "абвд", "авд"],
  ["a block that both changed is left to choose", "абв", "а1в", "а2в", "а(1|2)в"],
  ["the same change is taken once", "абв", "а1в", "а1в", "а1в"],
  ["blocks that both added at one place are kept, theirs first", "аб", "аб1", "аб2", "аб21"],
  ["a block that one changed and the other deleted is left to choose", "абв", "а1в", "ав", "а(1|)в"],
])("%s", (_, base, mine, theirs, merged) => expect(merge(base, mine, theirs)).toBe(merged));

const letters = fc.string({ unit: fc.constantFrom("а", "б", "в", "г"), maxLength: 10 });
test("a text that only one side changed is taken whole", () => {
  fc.assert(
    fc.property(letters, letters, (base, changed) => {
      expect(merge(base, changed, base)).toBe(changed);
      expect(merge(base, base, changed)).toBe(changed);
      expect(merge(base, changed, changed)).toBe(changed);
    }),
  );
});
