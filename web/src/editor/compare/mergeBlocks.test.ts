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
  ["changes of neighbouring blocks are both taken", "абвг", "а1вг", "аб2г", "а12г"],
  ["a block added beside one that the other changed is kept", "абв", "аб1в", "а2в", "а21в"],
  ["a block added before one that the other changed is kept", "абв", "а1бв", "а2в", "а12в"],
  ["a block added inside what the other replaced is left to choose", "абвг", "аб1вг", "а2г", "а(б1в|2)г"],
])("%s", (_, base, mine, theirs, merged) => expect(merge(base, mine, theirs)).toBe(merged));

const two = ["Первый абзац о владении памятью.", "Второй абзац о ссылках и срезах."];
const joined = two.join(" ");
test.each([
  ["joined", two, [`${two[0]} И ещё.`, two[1]], [joined], [["both", [`${two[0]} И ещё.`, two[1]], [joined]]]],
  ["split", [joined], [`${joined} И ещё.`], two, [["both", [`${joined} И ещё.`], two]]],
])(
  "a block that one side %s and the other changed is left to choose as a whole",
  (_, base, mine, theirs, merged) => {
    const document = (texts: readonly (string | undefined)[]) => ({
      type: "doc",
      content: texts.map((text) => paragraph(String(text))),
    });
    const texts = (blocks: ContentNode[]) => blocks.map((block) => block.content?.[0]?.text);
    const parts = mergeBlocks(document(base), document(mine), document(theirs));
    expect(
      parts.map((part) =>
        part.kind === "both"
          ? [part.kind, texts(part.mine), texts(part.theirs)]
          : [part.kind, texts(part.blocks)],
      ),
    ).toEqual(merged);
  },
);

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

/** A block with a unique text. */
interface Block {
  id: number;
  revision: string;
}
const docOf = (blocks: Block[]) => ({
  type: "doc",
  content: blocks.map(({ id, revision }) =>
    paragraph(`Абзац ${id} про слово${id} и дело${id} ${revision}`.trim()),
  ),
});
const edit = fc.oneof(
  fc.record({ kind: fc.constant("change" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("remove" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("add" as const), at: fc.nat() }),
);

/** Applies edits to blocks; returns the new blocks and the ids of those that were changed or removed. */
function edited(
  blocks: Block[],
  edits: { kind: "change" | "remove" | "add"; at: number }[],
  side: string,
  firstId: number,
) {
  const made = [...blocks];
  const touched = new Set<number>();
  let id = firstId;
  for (const [number, { kind, at }] of edits.entries()) {
    if (kind === "add") {
      made.splice(at % (made.length + 1), 0, { id, revision: "" });
      id += 1;
      continue;
    }
    const block = made[at % made.length];
    if (!block) continue;
    touched.add(block.id);
    if (kind === "remove") made.splice(at % made.length, 1);
    else made[at % made.length] = { ...block, revision: `${side}${number}` };
  }
  return { made, touched };
}

test("200 random pairs of edits: no block is lost or doubled, only what both changed is chosen, and both sides get the same", () => {
  const sides = fc.tuple(fc.array(edit, { maxLength: 8 }), fc.array(edit, { maxLength: 8 }));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), sides, (length, [ownEdits, otherEdits]) => {
      const base = Array.from({ length }, (_, id) => ({ id, revision: "" }));
      const mine = edited(base, ownEdits, "м", 100);
      const theirs = edited(base, otherEdits, "т", 200);
      const texts = (blocks: ContentNode[]) => blocks.map((block) => String(block.content?.[0]?.text));
      const [before, own, other] = [base, mine.made, theirs.made].map((blocks) =>
        texts(docOf(blocks).content),
      );
      const parts = mergeBlocks(docOf(base), docOf(mine.made), docOf(theirs.made));
      const settled = parts.flatMap((part) => (part.kind === "settled" ? texts(part.blocks) : []));
      const chosen = (side: "mine" | "theirs") =>
        parts.flatMap((part) => (part.kind === "both" ? texts(part[side]) : []));

      for (const [text, side, others] of [
        [own ?? [], chosen("mine"), other ?? []],
        [other ?? [], chosen("theirs"), own ?? []],
      ] as const) {
        const taken = [...settled, ...side];
        expect(new Set(taken).size).toBe(taken.length);
        // Every block that this side wrote or left unchanged is there, unless the other side changed it.
        for (const one of text)
          if (!before?.includes(one) || others.includes(one)) expect(taken).toContain(one);
      }
      // A block that was removed beside a changed block may have been joined with it.
      const hasRemoved = [...ownEdits, ...otherEdits].some(({ kind }) => kind === "remove");
      const isTouchedByBoth = hasRemoved || [...mine.touched].some((id) => theirs.touched.has(id));
      if (!isTouchedByBoth) expect(parts.filter(({ kind }) => kind === "both")).toEqual([]);
      const mirrored = mergeBlocks(docOf(base), docOf(theirs.made), docOf(mine.made));
      const settledThere = mirrored.flatMap((part) => (part.kind === "settled" ? texts(part.blocks) : []));
      expect([...settledThere].sort()).toEqual([...settled].sort());
    }),
    { numRuns: 200 },
  );
});
