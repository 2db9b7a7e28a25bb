import { EditorState, TextSelection } from "@tiptap/pm/state";
import { beforeAll, describe, expect, test } from "vitest";
import { typeset } from "../content/math/katex";
import { i18n } from "../i18n";
import { startI18n } from "../testing/startI18n";
import { moveBlock, unwrap } from "./behaviour/keys";
import { countWords } from "./countWords";
import { problemOf } from "./panel/LeafFields";
import { addressOf } from "./panel/LinkDialog";
import { modelSchema } from "./schema";
import { findInserts } from "./toolbar/inserts";

const schema = modelSchema();
const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const doc = (...content: object[]) => schema.nodeFromJSON({ type: "doc", content });

beforeAll(async () => {
  await startI18n();
});

describe("the slash menu finds", () => {
  const found = (query: string) =>
    findInserts(query, (id) => i18n.t(`editor.insert.${id}`)).map((one) => one.id);
  test.each([
    ["", "paragraph"],
    ["таб", "table"],
    ["table", "table"],
    ["Загол", "heading2"],
    ["ФОРМ", "blockMath"],
    ["ютуб", "video"],
    ["спойлер", "details"],
    ["раскрывающийся блок", "details"],
  ])("%j → %s", (query, id) => expect(found(query)[0]).toBe(id));
  test("nothing without a match", () => expect(found("кракозябра")).toEqual([]));
});

test.each([
  ["https://example.com/a", "https://example.com/a"],
  [" example.com ", "https://example.com"],
  ["пример.рф/путь", "https://пример.рф/путь"],
  ["anna@example.com", "mailto:anna@example.com"],
  ["#итоги", "#итоги"],
  ["слово", null],
  ["два слова", null],
  ["javascript:alert(1)", null],
  ["", null],
])("a link typed as %j leads to %s", (typed, href) => expect(addressOf(typed)).toBe(href));

test.each([
  [[paragraph("раз два-три, don't 42")], 4],
  [[paragraph("—"), { type: "codeBlock", content: [{ type: "text", text: "let x" }] }], 2],
  [[{ type: "paragraph" }], 0],
])("words of %j: %i", (content, count) => expect(countWords(doc(...content))).toBe(count));

describe("a block", () => {
  const state = (from: number, ...texts: string[]) => {
    const document = doc(...texts.map(paragraph));
    return EditorState.create({ doc: document, selection: TextSelection.create(document, from) });
  };
  const following = (start: EditorState, command: ReturnType<typeof moveBlock>) => {
    let next = start;
    const done = command(start, (tr) => {
      next = start.apply(tr);
    });
    return { done, texts: next.doc.children.map((node) => node.textContent), state: next };
  };

  test("moves past its neighbour with the cursor", () => {
    const down = following(state(2, "раз", "два", "три"), moveBlock(1));
    expect(down.texts).toEqual(["два", "раз", "три"]);
    expect(down.state.selection.$from.parent.textContent).toBe("раз");
    expect(following(down.state, moveBlock(-1)).texts).toEqual(["раз", "два", "три"]);
  });
  test("stays at the edge", () => {
    expect(following(state(2, "раз", "два"), moveBlock(-1)).done).toBe(false);
    expect(following(state(7, "раз", "два"), moveBlock(1)).done).toBe(false);
  });
  test("is replaced by its content when it is unwrapped", () => {
    const framed = doc(
      { type: "callout", content: [paragraph("а"), paragraph("б")] },
      {
        type: "details",
        content: [
          { type: "detailsSummary", content: [{ type: "text", text: "в" }] },
          { type: "detailsContent", content: [paragraph("г")] },
        ],
      },
    );
    let state = EditorState.create({ doc: framed });
    const dispatch = (tr: typeof state.tr) => {
      state = state.apply(tr);
    };
    unwrap(state, dispatch, framed.firstChild?.nodeSize ?? 0);
    unwrap(state, dispatch, 0);
    expect(state.doc.children.map((node) => [node.type.name, node.textContent])).toEqual([
      ["paragraph", "а"],
      ["paragraph", "б"],
      ["paragraph", "в"],
      ["paragraph", "г"],
    ]);
  });
});

test.each([
  ["a^2", null],
  ["", null],
  ["1 + \\fraq{a}{b}", "Ошибка у знака 5: «\\fraq{a}{b}»"],
  ["\\frac{a}{", "Формула обрывается: в конце чего-то не хватает"],
])("the problem of the formula %j is %j", (latex, problem) =>
  expect(problemOf(typeset, latex, i18n.t)?.replaceAll("\u00a0", " ") ?? null).toBe(problem),
);
