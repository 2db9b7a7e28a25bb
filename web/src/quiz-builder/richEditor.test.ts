import { afterEach, expect, it, vi } from "vitest";
import { toStored } from "../editor/stored";
import { createRichEditor } from "./richEditor";

let editor: ReturnType<typeof createRichEditor> = null;
afterEach(() => editor?.destroy());

it("reports a pasted copy of a blank with the new id that the field gives it", () => {
  const onChange = vi.fn();
  const gap = { type: "blank", attrs: { blank_id: "first" } };
  editor = createRichEditor({
    element: document.body.appendChild(document.createElement("div")),
    content: { type: "doc", content: [{ type: "paragraph", content: [gap] }] },
    labelledBy: "label",
    describedBy: undefined,
    hasBlanks: true,
    onChange,
    onFocus: () => {},
    onEnter: () => false,
    takesLines: () => false,
    onLines: () => {},
  });
  if (!editor) throw new Error("the field cannot hold its text");
  editor.view.dispatch(editor.state.tr.insert(2, editor.schema.nodeFromJSON(gap)));
  const shown = toStored(editor.state.doc);
  const ids = shown.content?.[0]?.content?.map(({ attrs }) => attrs?.blank_id);
  expect(new Set(ids).size).toBe(2);
  expect(toStored(onChange.mock.lastCall?.[0])).toEqual(shown);
});
