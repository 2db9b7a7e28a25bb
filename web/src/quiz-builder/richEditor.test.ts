import { afterEach, expect, it, vi } from "vitest";
import { insertFiles } from "../editor/behaviour/uploads";
import { toStored } from "../editor/stored";
import { toastStore } from "../ui/toasts";
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

it.each([
  ["is divided into further fields", "<ul><li>Лион</li></ul>", 100, ["Париж", "Ницца"]],
  ["stays whole when it has a picture", '<p>Лион<img src="x.png"></p>', 100, null],
  ["stays whole when there is no room for every line", "", 1, null],
])("a list pasted into an empty field %s", (_, html, room, expected) => {
  const onLines = vi.fn();
  editor = createRichEditor({
    element: document.body.appendChild(document.createElement("div")),
    content: { type: "doc", content: [{ type: "paragraph" }] },
    labelledBy: "label",
    describedBy: undefined,
    hasBlanks: false,
    onChange: () => {},
    onFocus: () => {},
    onEnter: () => false,
    takesLines: (count) => count <= room,
    onLines,
  });
  if (!editor) throw new Error("the field cannot hold its text");
  const data: Record<string, string> = { "text/plain": "Лион\nПариж\nНицца", "text/html": html };
  const event = {
    clipboardData: { getData: (type: string) => data[type] ?? "" },
  } as unknown as ClipboardEvent;
  const { handlePaste } = editor.options.editorProps;
  const isTaken = handlePaste?.call({} as never, editor.view, event, {} as never);
  expect(isTaken).toBe(expected !== null);
  if (expected) expect(onLines).toHaveBeenCalledExactlyOnceWith(expected);
  else expect(onLines).not.toHaveBeenCalled();
});

it("keeps the text that it was opened with when everything is undone", () => {
  const onChange = vi.fn();
  editor = createRichEditor({
    element: document.body.appendChild(document.createElement("div")),
    content: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "Лион" }] }] },
    labelledBy: "label",
    describedBy: undefined,
    hasBlanks: false,
    onChange,
    onFocus: () => {},
    onEnter: () => false,
    takesLines: () => false,
    onLines: () => {},
  });
  editor?.commands.undo();
  expect(editor?.getText()).toBe("Лион");
});

it("an answer takes no files: neither pasted nor in its document", () => {
  const image = { type: "image", attrs: { src: "/files/0198f000-0000-7000-8000-000000000001" } };
  const given = {
    element: document.body.appendChild(document.createElement("div")),
    labelledBy: "label",
    describedBy: undefined,
    hasBlanks: false,
    isEssay: true,
    onChange: () => {},
    onFocus: () => {},
    onEnter: () => false,
    takesLines: () => false,
    onLines: () => {},
  };
  expect(createRichEditor({ ...given, content: { type: "doc", content: [image] } })).toBeNull();
  editor = createRichEditor({ ...given, content: { type: "doc", content: [{ type: "paragraph" }] } });
  if (!editor) throw new Error("the field cannot hold its text");
  insertFiles(editor.view, [new File(["x"], "Схема.png", { type: "image/png" })]);
  expect(toastStore.get()).toHaveLength(1);
  expect(editor.view.dom.querySelector("[data-upload]")).toBeNull();
});
