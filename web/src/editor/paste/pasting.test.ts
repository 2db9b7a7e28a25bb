import type { Editor } from "@tiptap/core";
import { Slice } from "@tiptap/pm/model";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createEditor } from "../createEditor";
import { toStored } from "../stored";
import { uploadFile } from "../upload";

vi.mock("../../ui/whenIdle", () => ({ whenIdle: () => () => {} }));
vi.mock("../upload", () => ({ uploadFile: vi.fn(() => new Promise(() => {})) }));

let editor: Editor;
beforeEach(() => {
  vi.mocked(uploadFile).mockClear();
  editor = createEditor({
    element: document.body.appendChild(document.createElement("div")),
    content: { type: "doc", content: [{ type: "paragraph" }] },
    label: "Text",
    hasPage: () => false,
    onChange: () => {},
  });
});
afterEach(() => editor.destroy());

const clipboard = (html: string, text: string) =>
  ({
    getData: (type: string) => ({ "text/html": html, "text/plain": text })[type] ?? "",
    files: [],
  }) as unknown as DataTransfer;
const press = (key: string, options: KeyboardEventInit) => {
  const event = new KeyboardEvent("keydown", { key, ...options });
  editor.view.someProp("handleKeyDown", (handle) => handle(editor.view, event) || undefined);
};
/** Returns whether the editor handled the paste itself. */
const paste = (html: string, text: string) => {
  const event = { clipboardData: clipboard(html, text) } as unknown as ClipboardEvent;
  return editor.view.someProp("handlePaste", (handle) => handle(editor.view, event, Slice.empty)) ?? false;
};
const stored = () => toStored(editor.state.doc).content;

describe("pasting", () => {
  it("keeps the format after a capital letter was typed", () => {
    press("A", { code: "KeyA", shiftKey: true });
    expect(paste("<p><b>bold</b></p>", "bold")).toBe(true);
    expect(stored()).toMatchObject([{ content: [{ text: "bold", marks: [{ type: "bold" }] }] }]);
  });

  it("leaves plain text to ProseMirror after Ctrl+Shift+V, once", () => {
    press("V", { code: "KeyV", shiftKey: true, ctrlKey: true });
    expect(paste("<p><b>bold</b></p>", "bold")).toBe(false);
    expect(paste("<p><b>bold</b></p>", "bold")).toBe(true);
  });
});

describe("pasting Markdown", () => {
  const markdown = "## Title\n\n- one\n- two";
  const formatted = [{ type: "heading", content: [{ text: "Title" }] }, { type: "bulletList" }];
  /** Creates an editor that has not loaded the parser yet. */
  const renew = async () => {
    editor.destroy();
    vi.resetModules();
    const fresh = await import("../createEditor");
    const element = document.body.appendChild(document.createElement("div"));
    const content = { type: "doc" as const, content: [{ type: "paragraph" }] };
    editor = fresh.createEditor({
      element,
      content,
      label: "Text",
      hasPage: () => false,
      onChange: () => {},
    });
  };

  it("shows the text at once, and its format when the parser is loaded", async () => {
    await renew();
    expect(paste("", markdown)).toBe(true);
    expect(editor.getText()).toContain("## Title");
    await vi.waitFor(() => expect(stored()).toMatchObject(formatted));
    editor.commands.clearContent();
    paste("", markdown);
    expect(stored(), "the next paste needs no loading").toMatchObject(formatted);
  });

  it("leaves the text as it is when something was typed before the parser was loaded", async () => {
    await renew();
    paste("", markdown);
    editor.commands.insertContentAt(editor.state.doc.content.size - 1, " and more");
    await import("./markdown");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(editor.getText()).toContain("## Title");
    expect(editor.getText()).toContain("two and more");
  });
});

describe("dropping HTML from another window", () => {
  const drop = (html: string) => {
    editor.view.posAtCoords = () => ({ pos: 1, inside: -1 });
    const event = { dataTransfer: clipboard(html, ""), clientX: 0, clientY: 0, preventDefault: () => {} };
    return editor.view.someProp("handleDrop", (handle) =>
      handle(editor.view, event as DragEvent, Slice.empty, false),
    );
  };

  it("uploads the images inside it", () => {
    const image = `<img src="data:image/png;base64,${btoa("image")}">`;
    expect(drop(`<p>before</p>${image}<p>after</p>`)).toBe(true);
    expect(uploadFile).toHaveBeenCalledOnce();
    expect(editor.getText()).toContain("before");
    expect(editor.getText()).toContain("after");
    expect(editor.getText()).not.toMatch(/[\ue000-\uf8ff]/);
  });

  it("leaves no placeholder of an image in HTML that ProseMirror parses itself", () => {
    const image = `<img src="data:image/png;base64,${btoa("image")}">`;
    editor.view.pasteHTML(`<p>before</p>${image}`, new Event("paste") as ClipboardEvent);
    expect(editor.getText()).not.toMatch(/[\ue000-\uf8ff]/);
  });
});
