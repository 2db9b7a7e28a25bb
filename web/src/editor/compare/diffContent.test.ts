import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContentNode } from "../../content/model";
import { canonical } from "../stored";
import { type Change, diffContent } from "./diffContent";
import { ofSide, type Side } from "./merged";

const text = (words: string, marks: string[] = []): ContentNode => ({
  type: "text",
  text: words,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
});
const paragraph = (...content: (ContentNode | string)[]): ContentNode => ({
  type: "paragraph",
  content: content.map((one) => (typeof one === "string" ? text(one) : one)),
});
const doc = (...content: ContentNode[]): ContentNode => ({ type: "doc", content });

/** The blocks of one text that the changes have. */
function sideOf(changes: Change[], side: Side): ContentNode[] {
  return changes.flatMap((change): ContentNode[] => {
    if (change.kind === "same") return change.blocks;
    if (change.kind === "changed")
      return (change.merged ? [ofSide(change.merged, side)] : [change[side]]).filter((one) => one !== null);
    if ("block" in change) return (change.kind === "moved") === (side === "after") ? [change.block] : [];
    return (change.kind === "added") === (side === "after") ? change.blocks : [];
  });
}
const canon = (blocks: ContentNode[]) => blocks.map(canonical);

/** Documents of every kind of block, made of few words so that they often share some. */
const documents = fc.letrec<{ block: ContentNode; blocks: ContentNode[] }>((tie) => {
  const word = fc.constantFrom("кот", "пёс", "ест", "рыбу", "мясо", "и", "Кот");
  const words = fc
    .array(fc.tuple(word, fc.constantFrom(" ", ", ", "")), { minLength: 1, maxLength: 8 })
    .map((list) => list.map((one) => one.join("")).join(""));
  const mark = fc.subarray(["bold", "italic", "code"], { maxLength: 2 });
  const inline = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.tuple(words, mark).map(([one, marks]) => text(one, marks)) },
      fc.constant({ type: "hardBreak" }),
      fc.constantFrom("x", "y").map((latex) => ({ type: "inlineMath", attrs: { latex } })),
    ),
    { maxLength: 4 },
  );
  const code = fc
    .array(fc.constantFrom("a = 1", "b = 2", "", "print(a)"), { maxLength: 14 })
    .map((lines) => lines.join("\n"));
  const cells = fc.constantFrom("tableCell", "tableHeader");
  return {
    blocks: fc.array(tie("block"), { minLength: 1, maxLength: 4 }),
    block: fc.oneof(
      { depthSize: "small", maxDepth: 3 },
      inline.map((content) => ({ type: "paragraph", content })),
      fc.tuple(inline, fc.constantFrom(2, 3)).map(([content, level]) => ({
        type: "heading",
        attrs: { level },
        content,
      })),
      fc.tuple(code, fc.constantFrom("python", "rust", null)).map(([one, language]) => ({
        type: "codeBlock",
        attrs: { language },
        ...(one && { content: [text(one)] }),
      })),
      fc.tuple(fc.constantFrom("/files/a/a.png", "/files/b/b.png"), words).map(([src, caption]) => ({
        type: "image",
        attrs: { src, caption },
      })),
      fc.constant({ type: "horizontalRule" }),
      fc.array(tie("blocks"), { minLength: 1, maxLength: 4 }).map((items) => ({
        type: "bulletList",
        content: items.map((content) => ({ type: "listItem", content })),
      })),
      fc.tuple(tie("blocks"), fc.constantFrom("note", "tip")).map(([content, kind]) => ({
        type: "callout",
        attrs: { kind },
        content,
      })),
      fc.tuple(inline, tie("blocks")).map(([summary, content]) => ({
        type: "details",
        attrs: { open: false },
        content: [
          { type: "detailsSummary", content: summary },
          { type: "detailsContent", content },
        ],
      })),
      fc
        .tuple(
          fc.array(fc.array(words, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
          cells,
        )
        .map(([rows, type]) => ({
          type: "table",
          content: rows.map((row) => ({
            type: "tableRow",
            content: row.map((cell) => ({ type, content: [paragraph(cell)] })),
          })),
        })),
    ),
  };
});
const documentOf = documents.blocks.map((blocks) => doc(...blocks));

/** A document and one that was made of it by a few edits, which random pairs of documents are not. */
const edited = fc
  .tuple(documentOf, documentOf, fc.array(fc.nat(), { maxLength: 3 }))
  .map(([before, other, places]) => {
    const blocks = [...(before.content ?? [])];
    for (const [at, place] of places.entries()) {
      const index = place % (blocks.length + 1);
      const source = other.content?.[at % (other.content.length || 1)];
      if (place % 3 === 0) blocks.splice(index, 1);
      else if (source && place % 3 === 1) blocks.splice(index, 0, source);
      else blocks.reverse();
    }
    return [before, doc(...blocks)] as const;
  });
const pairs = fc.oneof(edited, fc.tuple(documentOf, documentOf));

describe("the changes of two documents", () => {
  test("make both documents", () => {
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        const changes = diffContent(before, after);
        expect(canon(sideOf(changes, "after"))).toEqual(canon(after.content ?? []));
        expect(canon(sideOf(changes, "before"))).toEqual(canon(before.content ?? []));
      }),
      { numRuns: 500 },
    );
  });

  test("are none for equal documents", () => {
    fc.assert(
      fc.property(documentOf, (document) => {
        const copy = structuredClone(document);
        expect(diffContent(document, copy).map(({ kind }) => kind)).toEqual(["same"]);
      }),
    );
  });

  test("are found in the other direction too, with both sides exchanged", () => {
    fc.assert(
      fc.property(edited, ([before, after]) => {
        const back = diffContent(after, before);
        expect(canon(sideOf(back, "before"))).toEqual(canon(after.content ?? []));
        expect(canon(sideOf(back, "after"))).toEqual(canon(before.content ?? []));
        const kept = (changes: Change[]) =>
          changes.reduce((sum, change) => sum + (change.kind === "same" ? change.blocks.length : 0), 0);
        expect(kept(back)).toBe(kept(diffContent(before, after)));
      }),
    );
  });
});

const shown = (changes: Change[]) => changes.map((change) => change.kind);
/** The merged text of the only change, with what was removed and added. */
function words(before: ContentNode, after: ContentNode): string {
  const change = diffContent(doc(before), doc(after)).find(({ kind }) => kind === "changed");
  if (change?.kind !== "changed" || !change.merged) return "";
  const write = (node: ContentNode): string => {
    const at = node.marks?.find(({ type }) => type === "place")?.attrs?.at;
    const inner = node.text ?? (node.content ?? []).map(write).join("");
    return at === "added" ? `{+${inner}+}` : at === "removed" ? `{-${inner}-}` : at ? `{~${inner}~}` : inner;
  };
  return write(change.merged);
}

describe("changed text", () => {
  test("is marked by the word", () => {
    expect(words(paragraph("Кот ест рыбу."), paragraph("Кот ест мясо."))).toBe("Кот ест {-рыбу-}{+мясо+}.");
    expect(words(paragraph("Рыжий кот ест рыбу."), paragraph("Серый пёс ест рыбу."))).toBe(
      "{-Рыжий кот-}{+Серый пёс+} ест рыбу.",
    );
  });
  test("is marked where only its look has changed", () => {
    expect(words(paragraph("Кот ест рыбу."), paragraph("Кот ", text("ест", ["bold"]), " рыбу."))).toBe(
      "Кот {~ест~} рыбу.",
    );
  });
  test("is marked by the line in code", () => {
    const code = (...lines: string[]): ContentNode => ({
      type: "codeBlock",
      content: [text(lines.join("\n"))],
    });
    expect(words(code("a = 1", "b = 2"), code("a = 1", "b = 3"))).toBe("a = 1\n{-b = 2-}{+b = 3+}");
    const long = Array.from({ length: 20 }, (_, at) => `line(${at})`);
    expect(words(code(...long, "end"), code(...long, "END"))).toMatch(
      /^\{~line\(0\)[\s\S]*line\(16\)\n~\}line\(17\)\nline\(18\)\nline\(19\)\n\{-end-\}\{\+END\+\}$/,
    );
  });
  test("is marked inside of lists and tables", () => {
    const list = (...items: string[]): ContentNode => ({
      type: "bulletList",
      content: items.map((item) => ({ type: "listItem", content: [paragraph(item)] })),
    });
    expect(words(list("кот ест", "пёс пьёт"), list("кот ест рыбу", "мышь", "пёс пьёт"))).toBe(
      "кот ест{+ рыбу+}{+мышь+}пёс пьёт",
    );
    const table = (...rows: string[][]): ContentNode => ({
      type: "table",
      content: rows.map((row) => ({
        type: "tableRow",
        content: row.map((cell) => ({ type: "tableCell", content: [paragraph(cell)] })),
      })),
    });
    expect(
      words(table(["кот", "рыба"], ["пёс", "мясо"]), table(["кот", "рыба", "1"], ["пёс", "мясо", "2"])),
    ).toBe("котрыба{+1+}пёсмясо{+2+}");
  });
});

describe("blocks", () => {
  const [one, two, three] = [
    "Первый абзац страницы о котах",
    "Второй абзац о собаках и людях",
    "Третий, про мышей и сыр",
  ].map((words) => paragraph(words)) as [ContentNode, ContentNode, ContentNode];
  test("are added and removed", () => {
    expect(shown(diffContent(doc(one, three), doc(one, two, three)))).toEqual(["same", "added", "same"]);
    expect(shown(diffContent(doc(one, two, three), doc(one, three)))).toEqual(["same", "removed", "same"]);
  });
  test("are moved", () => {
    expect(diffContent(doc(one, two, three), doc(three, one, two))).toEqual([
      { kind: "moved", block: three, to: "up" },
      { kind: "same", blocks: [one, two] },
      { kind: "left", block: three, to: "up" },
    ]);
  });
  test("are compared side by side if they have no text", () => {
    const picture = (src: string): ContentNode => ({ type: "image", attrs: { src, alt: "Схема" } });
    const [change] = diffContent(doc(picture("/files/a/a.png")), doc(picture("/files/b/b.png")));
    expect(change).toMatchObject({ kind: "changed", merged: null });
  });
  test("say which attributes have changed", () => {
    const heading = (level: number): ContentNode => ({
      type: "heading",
      attrs: { level },
      content: [text("О котах")],
    });
    expect(diffContent(doc(heading(2)), doc(heading(3)))).toMatchObject([
      { kind: "changed", attributes: [{ name: "level", before: 2, after: 3 }] },
    ]);
  });
});

test("large texts are compared in bounded time", () => {
  const sentence = (at: number, word: string) =>
    paragraph(`Предложение ${at} о том, как ${word} идёт по дороге домой.`);
  const size = 15_000;
  const before = doc(...Array.from({ length: size }, (_, at) => sentence(at, "кот")));
  const after = doc(...Array.from({ length: size }, (_, at) => sentence(at, "пёс")));
  const begun = performance.now();
  const changes = diffContent(before, after);
  expect(changes).toHaveLength(size);
  expect(diffContent(before, doc(...[...(after.content ?? [])].reverse().slice(1))).length).toBeGreaterThan(
    0,
  );
  expect(performance.now() - begun).toBeLessThan(10_000);
});
