import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContentNode } from "../../content/model";
import { diffBlocks } from "./diffBlocks";

const paragraph = (text: string): ContentNode => ({ type: "paragraph", content: [{ type: "text", text }] });
const doc = (letters: string) => ({ type: "doc", content: [...letters].map(paragraph) });
const shown = (blocks: ContentNode[]) => blocks.map((block) => block.content?.[0]?.text).join("");
const diff = (mine: string, theirs: string) =>
  diffBlocks(doc(mine), doc(theirs)).map((run) =>
    run.kind === "same" ? shown(run.mine) : `(${shown(run.mine)}|${shown(run.theirs)})`,
  );

test.each([
  ["абв", "абв", ["абв"]],
  ["абв", "агв", ["а", "(б|г)", "в"]],
  ["абв", "ав", ["а", "(б|)", "в"]],
  ["", "аб", ["(|аб)"]],
  ["абвгд", "бвед", ["(а|)", "бв", "(г|е)", "д"]],
])("%j and %j", (mine, theirs, runs) => expect(diff(mine, theirs)).toEqual(runs));

test("contains all blocks of both texts, for any texts", () => {
  const letters = fc.string({ unit: fc.constantFrom("а", "б", "в"), maxLength: 12 });
  fc.assert(
    fc.property(letters, letters, (mine, theirs) => {
      const runs = diffBlocks(doc(mine), doc(theirs));
      expect(shown(runs.flatMap((run) => run.mine))).toBe(mine);
      expect(shown(runs.flatMap((run) => run.theirs))).toBe(theirs);
      for (const run of runs) if (run.kind === "same") expect(shown(run.mine)).toBe(shown(run.theirs));
    }),
  );
});

test("finds no blocks in content that is not a document", () => expect(diffBlocks(null, "x")).toEqual([]));
