import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContentNode } from "../../content/model";
import { PLACE } from "../../content/places";
import { lengthOf, markPlaces, offsetIn, placeAfterKey, sliceOf, textOf, unitsOf } from "./places";

const text = (text: string, ...marks: string[]): ContentNode =>
  marks.length > 0 ? { type: "text", text, marks: marks.map((type) => ({ type })) } : { type: "text", text };
const block = (...content: ContentNode[]): ContentNode => ({ type: "paragraph", content });
const documentOf = (...content: ContentNode[]): ContentNode => ({ type: "doc", content });

/** The text nodes of a document in their order. */
function leaves(node: unknown): ContentNode[] {
  const { type, content } = node as ContentNode;
  return type === "text" ? [node as ContentNode] : (content ?? []).flatMap(leaves);
}
const placeOf = ({ marks }: ContentNode) => marks?.find(({ type }) => type === PLACE)?.attrs;

describe("offsets", () => {
  test("count code points in the text nodes, without anything between them", () => {
    const document = documentOf(
      block(text("Синее "), text("небо", "bold"), { type: "hardBreak" }, text("🌍!")),
      block({ type: "inlineMath", attrs: { latex: "x" } }, text("Да")),
    );
    expect(textOf(document)).toBe("Синее небо🌍!Да");
    expect(lengthOf(textOf(document))).toBe(14);
    expect(sliceOf(textOf(document), 10, 12)).toBe("🌍!");
    expect(offsetIn("🌍!", 2)).toBe(1);
  });
});

describe("places in a document", () => {
  test("cut its text nodes, keep their marks, and may overlap", () => {
    const document = documentOf(block(text("Небо 🌍 синее", "italic")));
    const marked = markPlaces(document, [
      { start: 0, end: 6 },
      { start: 5, end: 12 },
    ]);
    expect(leaves(marked).map((leaf) => [leaf.text, placeOf(leaf)])).toEqual([
      ["Небо ", { at: 0, length: 5, inside: [0], ending: [] }],
      ["🌍", { at: 5, length: 1, inside: [0, 1], ending: [0] }],
      [" синее", { at: 6, length: 6, inside: [1], ending: [1] }],
    ]);
    expect(leaves(marked).every(({ marks }) => marks?.[0]?.type === "italic")).toBe(true);
  });

  test("change nothing of the text, wherever they are", () => {
    const texts = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
    const documents = fc
      .array(fc.array(texts, { maxLength: 4 }), { maxLength: 4 })
      .map((blocks) => documentOf(...blocks.map((nodes) => block(...nodes.map((one) => text(one))))));
    const ranges = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 20 })), { maxLength: 5 });
    fc.assert(
      fc.property(documents, ranges, (document, ranges) => {
        const places = ranges.map(([start, length]) => ({ start, end: start + length }));
        const whole = textOf(document);
        const marked = markPlaces(document, places);
        expect(textOf(marked)).toBe(whole);
        for (const [index, { start, end }] of places.entries()) {
          const inside = leaves(marked).filter((leaf) =>
            (placeOf(leaf)?.inside as number[] | undefined)?.includes(index),
          );
          // A place that ends outside of the text of a changed answer is not shown in its last piece.
          if (end <= lengthOf(whole))
            expect(inside.map((leaf) => leaf.text).join("")).toBe(sliceOf(whole, start, end));
        }
      }),
    );
  });

  test("leave what is no document as it is", () => {
    expect(markPlaces(null, [])).toBeNull();
    expect(unitsOf("text", "word")).toEqual([]);
  });
});

describe("words and sentences", () => {
  const document = documentOf(
    block(text("Небо синее. "), text("Почему", "bold"), text("? 🌍")),
    block(text("Рассеяние.")),
  );
  const found = (unit: "word" | "sentence") =>
    unitsOf(document, unit).map(({ start, end }) => sliceOf(textOf(document), start, end));

  test("are found in each paragraph", () => {
    expect(found("word")).toEqual(["Небо", "синее", "Почему", "Рассеяние"]);
    expect(found("sentence")).toEqual(["Небо синее.", "Почему?", "🌍", "Рассеяние."]);
  });
});

describe("a place chosen by keys", () => {
  const document = documentOf(block(text("Небо синее. Почему оно такое?")), block(text("Из-за рассеяния.")));
  const chosenBy = (start: number, end: number, ...keys: string[]) => {
    const place = keys.reduce(
      (place, key) => {
        const [, shift, name] = /^(Shift\+)?(\w+)$/.exec(key) ?? [];
        return placeAfterKey(document, place, name ?? "", shift !== undefined) ?? place;
      },
      { start, end },
    );
    return sliceOf(textOf(document), place.start, place.end);
  };

  test("moves by words and by sentences, and stays at both ends", () => {
    expect(chosenBy(0, 11, "ArrowRight")).toBe("синее");
    expect(chosenBy(5, 10, "ArrowLeft", "ArrowLeft")).toBe("Небо");
    expect(chosenBy(0, 4, "ArrowDown")).toBe("Почему оно такое?");
    expect(chosenBy(0, 4, "ArrowDown", "ArrowDown", "ArrowDown")).toBe("Из-за рассеяния.");
    expect(chosenBy(0, 4, "ArrowDown", "ArrowUp")).toBe("Небо синее.");
  });

  test("grows and shrinks with Shift, to at least one word", () => {
    expect(chosenBy(0, 4, "Shift+ArrowRight")).toBe("Небо синее");
    expect(chosenBy(0, 4, "Shift+ArrowDown", "Shift+ArrowDown")).toBe("Небо синее. Почему оно такое?");
    expect(chosenBy(0, 10, "Shift+ArrowLeft", "Shift+ArrowLeft")).toBe("Небо");
  });

  test("ignores other keys and a document without words", () => {
    expect(placeAfterKey(document, { start: 0, end: 4 }, "Enter", false)).toBeNull();
    expect(placeAfterKey(documentOf(), { start: 0, end: 0 }, "ArrowRight", false)).toEqual({
      start: 0,
      end: 0,
    });
  });
});
