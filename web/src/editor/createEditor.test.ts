import type { Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import { Step } from "@tiptap/pm/transform";
import { afterEach, describe, expect, it, vi } from "vitest";
import { insertFiles } from "./behaviour/uploads";
import { createEditor, followContent, replaceContent } from "./createEditor";
import { toStored } from "./stored";
import { INSERTS } from "./toolbar/inserts";
import { uploadFile } from "./upload";

vi.mock("./upload", () => ({ uploadFile: vi.fn(() => new Promise(() => {})) }));

const text = (text: string) => ({ type: "text", text });
const paragraph = (words: string) => ({ type: "paragraph", ...(words && { content: [text(words)] }) });
const page = (...content: unknown[]) => ({ type: "doc", content });

const open: { destroy: () => void }[] = [];
afterEach(() => {
  for (const editor of open.splice(0)) editor.destroy();
  vi.mocked(uploadFile).mockClear();
});

/** An editor, the document that its change reports describe, and the same document rebuilt from the reported steps alone. */
function openEditor(content: unknown) {
  const onChange = vi.fn();
  const editor = createEditor({
    element: document.body.appendChild(document.createElement("div")),
    content,
    label: "Text",
    hasPage: () => false,
    onChange,
  });
  open.push(editor);
  const first = editor.state.doc;
  const rebuilt = () => {
    let doc = first;
    for (const [reported, steps] of onChange.mock.calls) {
      if (!steps) doc = reported;
      for (const step of steps ?? []) doc = Step.fromJSON(editor.schema, step).apply(doc).doc ?? doc;
    }
    return toStored(doc);
  };
  const reported = () => toStored(onChange.mock.lastCall?.[0]);
  const shown = () => toStored(editor.state.doc);
  return { editor, onChange, reported, rebuilt, shown };
}

describe("a change that plugins append to", () => {
  it("reports the bold word of pasted plain Markdown", () => {
    const { editor, reported, rebuilt, shown } = openEditor(page(paragraph("")));
    editor.view.pasteText("**word**", new Event("paste") as ClipboardEvent);
    expect(shown()).toMatchObject({ content: [{ content: [{ text: "word", marks: [{ type: "bold" }] }] }] });
    expect(reported()).toEqual(shown());
    expect(rebuilt()).toEqual(shown());
  });

  it("reports the plain line that is left after deleting a whole page that starts with a heading", () => {
    const heading = { type: "heading", attrs: { level: 2 }, content: [text("Title")] };
    const { editor, reported, rebuilt, shown } = openEditor(page(heading, paragraph("Text")));
    const all = { from: 1, to: editor.state.doc.content.size - 1 };
    editor.commands.setTextSelection(all);
    editor.commands.deleteSelection();
    expect(shown()).toEqual(page({ type: "paragraph" }));
    expect(reported()).toEqual(shown());
    expect(rebuilt()).toEqual(shown());
  });

  it("reports the cells that complete a ragged table", () => {
    const { editor, reported, rebuilt, shown } = openEditor(page(paragraph("")));
    const cell = { type: "tableCell", content: [paragraph("x")] };
    const rows = [
      { type: "tableRow", content: [cell, cell] },
      { type: "tableRow", content: [cell] },
    ];
    const table = editor.schema.nodeFromJSON({ type: "table", content: rows });
    editor.view.dispatch(editor.state.tr.insert(0, table));
    const [shownTable] = shown().content ?? [];
    expect(shownTable?.content?.map((row) => row.content?.length)).toEqual([2, 2]);
    expect(reported()).toEqual(shown());
    expect(rebuilt()).toEqual(shown());
  });
});

describe("a change that is made while another one is shown", () => {
  it("is reported after it, as a whole document", () => {
    const { editor, onChange, reported, rebuilt, shown } = openEditor(page(paragraph("")));
    const { updateState } = editor.view;
    editor.view.updateState = (state) => {
      editor.view.updateState = updateState;
      updateState.call(editor.view, state);
      editor.view.dispatch(editor.state.tr.insertText("b", 2));
    };
    editor.view.dispatch(editor.state.tr.insertText("a", 1));
    expect(onChange).toHaveBeenCalledOnce();
    expect(shown()).toEqual(page(paragraph("ab")));
    expect(reported()).toEqual(shown());
    expect(rebuilt()).toEqual(shown());
  });
});

it("reports nothing for a text that comes from the server", () => {
  const { editor, onChange } = openEditor(page(paragraph("old")));
  replaceContent(editor, page(paragraph("new")), true);
  followContent(editor, page(paragraph("newer")));
  expect(onChange).not.toHaveBeenCalled();
  editor.view.dispatch(editor.state.tr.insertText("!", 6));
  expect(onChange).toHaveBeenCalledOnce();
});

describe("uploads", () => {
  const signals = () => vi.mocked(uploadFile).mock.calls.map(([, { signal }]) => signal);
  const file = new File(["x"], "x.png");

  it("of one editor go on when another editor is closed", () => {
    const one = openEditor(page(paragraph(""))).editor;
    const other = openEditor(page(paragraph(""))).editor;
    insertFiles(one.view, [file]);
    insertFiles(other.view, [file]);
    one.destroy();
    expect(signals().map(({ aborted }) => aborted)).toEqual([true, false]);
  });
});

describe("a block without text", () => {
  const words = (editor: Editor) =>
    editor.state.doc.content.content.map((node) => node.textContent || node.type.name);
  const type = (editor: Editor, typed: string) => {
    const { view } = editor;
    const { from, to } = view.state.selection;
    if (!view.someProp("handleTextInput", (handle) => handle(view, from, to, typed, () => view.state.tr)))
      view.dispatch(view.state.tr.insertText(typed));
  };

  it("from the insert menu is followed by a line, on which typing goes on", () => {
    const { editor } = openEditor(page(paragraph("Before"), paragraph("")));
    editor.commands.focus("end");
    INSERTS.find(({ id }) => id === "blockMath")?.do(editor, {} as never);
    expect(words(editor)).toEqual(["Before", "blockMath", "paragraph"]);
    // Escape in the panel leaves the formula selected.
    type(editor, "A");
    type(editor, "fter");
    expect(words(editor)).toEqual(["Before", "blockMath", "After", "paragraph"]);
  });

  it("from a typed $$ is followed by a line", () => {
    const { editor } = openEditor(page(paragraph("$$")));
    editor.commands.focus("end");
    type(editor, " ");
    expect(words(editor)).toEqual(["blockMath", "paragraph"]);
    expect(editor.state.selection).toBeInstanceOf(NodeSelection);
  });

  it.each([
    ["is followed by a line", [], ["Before", "embed", "After"]],
    ["leaves the cursor in the line below", [paragraph("Next")], ["Before", "embed", "AfterNext"]],
  ])("pasted as the address of a video %s", (_, below, expected) => {
    const { editor } = openEditor(page(paragraph("Before"), paragraph(""), ...below));
    editor.commands.setTextSelection(9);
    editor.view.pasteText("https://youtu.be/dQw4w9WgXcQ", {
      clipboardData: {
        getData: (type: string) => (type === "text/plain" ? "https://youtu.be/dQw4w9WgXcQ" : ""),
        files: [],
      },
    } as unknown as ClipboardEvent);
    type(editor, "After");
    expect(words(editor)).toEqual(expected);
  });
});

describe("in a code block", () => {
  it("Tab indents, and Enter keeps the indent", () => {
    const { editor } = openEditor(page({ type: "codeBlock", content: [text("if x:")] }));
    editor.commands.focus("end");
    const press = (key: string) => {
      const event = new KeyboardEvent("keydown", { key });
      editor.view.someProp("handleKeyDown", (handle) => handle(editor.view, event));
    };
    press("Enter");
    press("Tab");
    editor.view.dispatch(editor.state.tr.insertText("a"));
    press("Enter");
    expect(editor.state.doc.textContent).toMatch(/^if x:\n([ \t]+)a\n\1$/);
  });
});

describe("the colours of code", () => {
  it("lie where the highlighter says, and tell nobody of a change", async () => {
    const { editor, shown } = openEditor(
      page(paragraph("Before"), {
        type: "codeBlock",
        attrs: { language: "rust" },
        content: [text('let x = "<b>";')],
      }),
    );
    const before = shown();
    // The highlighter loads on demand.
    const painted = () => editor.view.dom.querySelectorAll(".hljs-string").length;
    await expect.poll(painted, { timeout: 15_000 }).toBe(1);
    expect(editor.view.dom.querySelector(".hljs-keyword")?.textContent).toBe("let");
    expect(editor.view.dom.querySelector(".hljs-string")?.textContent).toBe('"<b>"');
    expect(shown()).toEqual(before);
  });
});

describe("undo", () => {
  it("brings back a text that was deleted right after it was typed", () => {
    const { editor, shown } = openEditor(page(paragraph("")));
    editor.commands.insertContent("word");
    editor.commands.selectAll();
    editor.commands.deleteSelection();
    editor.commands.undo();
    expect(shown()).toEqual(page(paragraph("word")));
  });

  it("is not what the keys of redo do when there is nothing to redo", () => {
    const { editor, shown } = openEditor(page(paragraph("")));
    editor.commands.insertContent("word");
    const key = new KeyboardEvent("keydown", { key: "z", keyCode: 90, ctrlKey: true, shiftKey: true });
    editor.view.someProp("handleKeyDown", (handle) => handle(editor.view, key));
    expect(shown()).toEqual(page(paragraph("word")));
  });
});

it("text of a screen keyboard takes the place of a selected page that starts with a table", () => {
  const cell = { type: "tableCell", content: [paragraph("old")] };
  const { editor, shown } = openEditor(
    page({ type: "table", content: [{ type: "tableRow", content: [cell, cell] }] }),
  );
  editor.commands.selectAll();
  const event = { inputType: "insertText", data: "new", preventDefault: vi.fn() } as unknown as InputEvent;
  editor.view.someProp("handleDOMEvents", (handle) =>
    handle.beforeinput?.call({} as never, editor.view, event),
  );
  expect(event.preventDefault).toHaveBeenCalledOnce();
  expect(shown()).toEqual(page(paragraph("new")));
});
