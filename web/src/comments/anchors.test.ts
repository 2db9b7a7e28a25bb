import type { Editor } from "@tiptap/core";
import { afterEach, describe, expect, test } from "vitest";
import { moveBlock } from "../editor/behaviour/keys";
import { createEditor, followContent } from "../editor/createEditor";
import { AnchorKeeper, carried } from "./anchors";
import { OpenComments, placeOf, shortened } from "./openComments";

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const rule = { type: "horizontalRule" };
const doc = (...content: object[]) => ({ type: "doc", content });

let editor: Editor | undefined;
afterEach(() => editor?.destroy());

/** An editor with threads at blocks, and a function that tells where they are. */
function open(content: object, at: Record<string, number>) {
  const element = document.createElement("div");
  document.body.append(element);
  const created = createEditor({ element, content, label: "", hasPage: () => false, onChange: () => {} });
  editor = created;
  const keeper = new AnchorKeeper(created.state.doc);
  keeper.place(created.state.doc, new Map(Object.entries(at)));
  created.on("transaction", ({ transaction, appendedTransactions }) => {
    for (const one of [transaction, ...appendedTransactions]) keeper.apply(one);
  });
  return { editor: created, where: () => Object.fromEntries(keeper.places()) };
}

/** The position of a block. */
function startOf({ state }: Editor, index: number): number {
  let at = 0;
  for (let before = 0; before < index; before += 1) at += state.doc.child(before).nodeSize;
  return at;
}

const three = doc(paragraph("один"), paragraph("два"), paragraph("три"));

describe("a block with a thread", () => {
  test("is followed when text is typed in it and blocks are added above", () => {
    const { editor, where } = open(three, { a: 1 });
    editor.commands.insertContentAt(startOf(editor, 1) + 2, "ХХ");
    editor.commands.insertContentAt(0, paragraph("новый"));
    expect(where()).toEqual({ a: 2 });
  });

  test("is followed when it becomes a heading or a list, and when it is split", () => {
    const { editor, where } = open(three, { a: 1 });
    editor
      .chain()
      .setTextSelection(startOf(editor, 1) + 2)
      .setNode("heading", { level: 2 })
      .run();
    expect(where()).toEqual({ a: 1 });
    editor.chain().setNode("paragraph").toggleBulletList().run();
    expect(where()).toEqual({ a: 1 });
    editor.chain().liftListItem("listItem").splitBlock().run();
    expect(where()).toEqual({ a: 1 });
  });

  test("is followed when it and its neighbour change places", () => {
    const { editor, where } = open(three, { a: 0, b: 1 });
    editor.commands.setTextSelection(startOf(editor, 1) + 1);
    moveBlock(-1)(editor.state, editor.view.dispatch);
    expect(editor.state.doc.firstChild?.textContent).toBe("два");
    expect(where()).toEqual({ a: 1, b: 0 });
  });

  test("is gone when it is deleted, and back when that is undone", () => {
    const { editor, where } = open(three, { a: 1, b: 2 });
    const from = startOf(editor, 1);
    editor.commands.deleteRange({ from, to: startOf(editor, 2) });
    expect(where()).toEqual({ a: null, b: 1 });
    editor.commands.undo();
    expect(where()).toEqual({ a: 1, b: 2 });
  });

  test("comes back when its text and then the block were deleted", () => {
    const { editor, where } = open(three, { a: 1 });
    const from = startOf(editor, 1);
    editor.commands.deleteRange({ from: from + 1, to: from + 4 });
    editor.commands.deleteRange({ from, to: from + 2 });
    expect(where()).toEqual({ a: null });
    while (editor.can().undo()) editor.commands.undo();
    expect(editor.state.doc.child(1).textContent).toBe("два");
    expect(where()).toEqual({ a: 1 });
  });

  test("stays when its text is deleted, and when another block is joined to it", () => {
    const { editor, where } = open(three, { a: 1 });
    editor
      .chain()
      .setTextSelection(startOf(editor, 2) + 1)
      .joinBackward()
      .run();
    expect(editor.state.doc.child(1).textContent).toBe("дватри");
    expect(where()).toEqual({ a: 1 });
    const from = startOf(editor, 1) + 1;
    editor.commands.deleteRange({ from, to: from + 6 });
    expect(where()).toEqual({ a: 1 });
  });

  test("without text is followed, too", () => {
    const { editor, where } = open(doc(paragraph("один"), rule, paragraph("два")), { a: 1 });
    editor.commands.insertContentAt(0, paragraph("новый"));
    expect(where()).toEqual({ a: 2 });
    editor.commands.deleteRange({ from: startOf(editor, 2), to: startOf(editor, 3) });
    expect(where()).toEqual({ a: null });
  });

  test("stays where it is when another author changes a block", () => {
    const { editor, where } = open(three, { a: 1, b: 2 });
    followContent(editor, doc(paragraph("один"), paragraph("два и ещё"), paragraph("три")));
    expect(where()).toEqual({ a: 1, b: 2 });
  });
});

test("places in a stored text are carried to the text in the editor", () => {
  const now = doc(paragraph("новый"), paragraph("один"), paragraph("два, иначе"), paragraph("три"));
  const places = new Map([
    ["a", 0],
    ["b", 1],
    ["c", 2],
    ["page", null],
  ]);
  expect(Object.fromEntries(carried(places, three, now))).toEqual({ a: 1, b: 2, c: 3, page: null });
  expect(Object.fromEntries(carried(places, three, doc(paragraph("один"))))).toEqual({
    a: 0,
    b: null,
    c: null,
    page: null,
  });
});

describe("the place of a new thread", () => {
  test("has the selected words, or those that the block begins with", () => {
    const { editor } = open(three, {});
    const from = startOf(editor, 2) + 1;
    editor.commands.setTextSelection({ from, to: from + 2 });
    expect(placeOf(editor)).toEqual({ block: 2, quote: "тр" });
    editor.commands.setTextSelection(from);
    expect(placeOf(editor)).toEqual({ block: 2, quote: "три" });
  });

  test("is quoted in one line, with at most 300 characters and no half of one", () => {
    expect(shortened(" а\n  б ")).toBe("а б");
    expect([...shortened("😀".repeat(400))]).toHaveLength(300);
  });
});

test("the address of a thread opens the panel; starting a thread ends what was shown", () => {
  expect(new OpenComments().state.get()).toMatchObject({ isOpen: false, shown: null });
  const comments = new OpenComments("t");
  expect(comments.state.get()).toMatchObject({ isOpen: true, shown: { id: "t" } });
  comments.start(null);
  expect(comments.state.get()).toMatchObject({ isOpen: true, started: { place: null } });
  comments.show("t");
  expect(comments.state.get().started).toBeNull();
  comments.close();
  expect(comments.state.get()).toMatchObject({ isOpen: false, started: null });
});
