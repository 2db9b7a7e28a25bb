import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createRichEditor } from "../../quiz-builder/richEditor";
import { startI18n } from "../../testing/startI18n";
import { SlashMenu } from "./SlashMenu";

beforeAll(startI18n);

let editor: ReturnType<typeof createRichEditor> = null;
afterEach(() => {
  cleanup();
  editor?.destroy();
});

test.each(["/табл", "/"])("Enter right after «%s» inserts, although no menu was drawn yet", (typed) => {
  editor = createRichEditor({
    element: document.body.appendChild(document.createElement("div")),
    content: { type: "doc", content: [{ type: "paragraph" }] },
    labelledBy: "label",
    describedBy: undefined,
    hasBlanks: false,
    onChange: () => {},
    onFocus: () => {},
    onEnter: () => false,
    takesLines: () => false,
    onLines: () => {},
  });
  if (!editor) throw new Error("the field cannot hold its text");
  const { view } = editor;
  const dialogs = { files: () => {}, link: () => {}, video: () => {} };
  render(<SlashMenu editor={editor} dialogs={dialogs} />);
  let isTaken: boolean | undefined;
  act(() => {
    view.dispatch(view.state.tr.insertText(typed));
    const event = new KeyboardEvent("keydown", { key: "Enter" });
    isTaken = view.someProp("handleKeyDown", (handle) => handle(view, event)) ?? false;
  });
  expect(isTaken).toBe(true);
  expect(view.state.doc.textContent).toBe("");
  if (typed !== "/") expect(view.state.doc.firstChild?.type.name).toBe("table");
});
