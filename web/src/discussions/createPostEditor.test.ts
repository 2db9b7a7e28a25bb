import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { insertFiles } from "../editor/behaviour/uploads";
import { markdownToHtml } from "../editor/paste/markdown";
import { startI18n } from "../testing/startI18n";
import { toastStore } from "../ui/toasts";
import { createPostEditor } from "./createPostEditor";

beforeAll(() => startI18n());
beforeEach(() => vi.stubGlobal("fetch", () => new Promise(() => {})));
afterEach(() => {
  toastStore.setState(() => []);
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function open() {
  const element = document.createElement("div");
  document.body.append(element);
  const heard = { sent: 0, left: 0 };
  const editor = createPostEditor({
    element,
    content: { type: "doc", content: [{ type: "paragraph" }] },
    label: "Ваш вопрос",
    placeholder: "Что непонятно?",
    hasPage: () => false,
    onChange: () => {},
    onSend: () => {
      heard.sent += 1;
    },
    onEscape: () => {
      heard.left += 1;
    },
  });
  return { editor, heard };
}

test("Markdown becomes the blocks that posts have, and other blocks keep their words", () => {
  const { editor } = open();
  const markdown =
    "# Тема\n\n- один\n- два\n\n```rust\nlet x = 5;\n```\n\n| a | b |\n| - | - |\n| в ячейке | 1 |\n\n$$x^2$$\n";
  editor.commands.setContent(markdownToHtml(markdown));
  const kinds = new Set<string>();
  editor.state.doc.descendants((node) => {
    kinds.add(node.type.name);
  });
  expect([...kinds].sort()).toEqual([
    "blockMath",
    "bulletList",
    "codeBlock",
    "listItem",
    "paragraph",
    "text",
  ]);
  expect(editor.state.doc.textContent).toContain("Тема");
  expect(editor.state.doc.textContent).toContain("в ячейке");
  editor.destroy();
});

test("Ctrl+Enter sends, Escape leaves, and the characters of a callout stay as they are", () => {
  const { editor, heard } = open();
  const press = (key: string, ctrlKey: boolean) =>
    editor.view.someProp("handleKeyDown", (handle) =>
      handle(editor.view, new KeyboardEvent("keydown", { key, ctrlKey })),
    );
  press("Enter", true);
  press("Escape", false);
  expect(heard).toEqual({ sent: 1, left: 1 });
  for (const character of "!!! ") {
    const { from, to } = editor.state.selection;
    const insert = () => editor.state.tr.insertText(character, from, to);
    if (
      !editor.view.someProp("handleTextInput", (handle) => handle(editor.view, from, to, character, insert))
    )
      editor.view.dispatch(insert());
  }
  expect(editor.state.doc.textContent).toBe("!!! ");
  editor.destroy();
});

test("only pictures are taken as files", () => {
  const { editor } = open();
  insertFiles(editor.view, [new File(["%PDF"], "a.pdf", { type: "application/pdf" })]);
  expect(toastStore.get().map(({ kind }) => kind)).toEqual(["failure"]);
  expect(editor.view.dom.querySelector("[data-upload]")).toBeNull();
  editor.destroy();
});
