import type { Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import { CALLOUT_KINDS } from "../../content/blocks/callouts";
import { insertBlock } from "../behaviour/blocks";

/** An entry of the insert menu. `do` inserts it at the cursor. */
export interface Insert {
  /** Its texts are under `editor.insert.{id}`. */
  id: InsertId;
  group: "text" | "media" | "blocks";
  /** Additional search terms, Russian and English. */
  words: string;
  /** The characters that insert it without the menu. */
  shortcut?: string;
  do: (editor: Editor, dialogs: DialogOpeners) => void;
}

/** Dialogs of the screen that an entry can open. */
export interface DialogOpeners {
  files: (accept: string) => void;
  link: () => void;
  video: () => void;
}

export type InsertId =
  | "paragraph"
  | "heading2"
  | "heading3"
  | "heading4"
  | "bulletList"
  | "orderedList"
  | "taskList"
  | "blockquote"
  | "codeBlock"
  | "image"
  | "file"
  | "video"
  | "table"
  | "note"
  | "tip"
  | "warning"
  | "danger"
  | "details"
  | "blockMath"
  | "inlineMath"
  | "pageLink"
  | "horizontalRule";

const heading = (level: 2 | 3 | 4, words: string): Insert => ({
  id: `heading${level}`,
  group: "text",
  words,
  shortcut: `${"#".repeat(level)} `,
  do: (editor) => editor.chain().focus().setNode("heading", { level }).run(),
});

export const INSERTS: readonly Insert[] = [
  {
    id: "paragraph",
    group: "text",
    words: "абзац текст paragraph text",
    do: (editor) => editor.chain().focus().setNode("paragraph").run(),
  },
  heading(2, "заголовок раздел heading h2"),
  heading(3, "подзаголовок заголовок heading h3"),
  heading(4, "подзаголовок заголовок heading h4"),
  {
    id: "bulletList",
    group: "text",
    words: "список маркированный пункты bullet list ul",
    shortcut: "- ",
    do: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    id: "orderedList",
    group: "text",
    words: "список нумерованный номера ordered list ol",
    shortcut: "1. ",
    do: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    id: "taskList",
    group: "text",
    words: "список дел задачи галочки чек-лист task todo checklist",
    shortcut: "[ ] ",
    do: (editor) => editor.chain().focus().toggleTaskList().run(),
  },
  {
    id: "blockquote",
    group: "text",
    words: "цитата quote",
    shortcut: "> ",
    do: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    id: "codeBlock",
    group: "blocks",
    words: "код программа листинг code",
    shortcut: "``` ",
    do: (editor) => editor.chain().focus().setCodeBlock().run(),
  },
  {
    id: "image",
    group: "media",
    words: "картинка изображение рисунок фото image picture photo",
    do: (_editor, dialogs) => dialogs.files("image/*"),
  },
  {
    id: "video",
    group: "media",
    words: "видео ютуб рутуб вк вимео video youtube rutube vk vimeo embed",
    do: (_editor, dialogs) => dialogs.video(),
  },
  {
    id: "file",
    group: "media",
    words: "файл вложение документ аудио звук pdf file attachment audio",
    do: (_editor, dialogs) => dialogs.files(""),
  },
  {
    id: "table",
    group: "blocks",
    words: "таблица table",
    do: (editor) => editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
  },
  ...CALLOUT_KINDS.map(
    (kind): Insert => ({
      id: kind,
      group: "blocks",
      words: {
        note: "заметка врезка выноска callout note info",
        tip: "совет врезка выноска callout tip hint",
        warning: "внимание предупреждение врезка callout warning",
        danger: "осторожно опасно ошибка врезка callout danger",
      }[kind],
      ...(kind === "note" && { shortcut: "!!! " }),
      do: (editor) => editor.chain().focus().wrapIn("callout", { kind }).run(),
    }),
  ),
  {
    id: "details",
    group: "blocks",
    words: "спойлер раскрывающийся блок скрытый ответ details spoiler toggle",
    do: (editor) => insertDetails(editor),
  },
  {
    id: "blockMath",
    group: "blocks",
    words: "формула математика уравнение latex math equation",
    shortcut: "$$ ",
    do: (editor) => insertAtom(editor, "blockMath"),
  },
  {
    id: "inlineMath",
    group: "blocks",
    words: "формула в строке математика latex inline math",
    shortcut: "$x$",
    do: (editor) => insertAtom(editor, "inlineMath"),
  },
  {
    id: "pageLink",
    group: "text",
    words: "ссылка страница курса link page",
    shortcut: "Ctrl+K",
    do: (_editor, dialogs) => dialogs.link(),
  },
  {
    id: "horizontalRule",
    group: "blocks",
    words: "линия разделитель черта rule divider hr",
    shortcut: "---",
    do: (editor) => editor.chain().focus().setHorizontalRule().run(),
  },
];

/** Inserts an empty formula and selects it, so that its panel opens. */
function insertAtom(editor: Editor, name: "blockMath" | "inlineMath"): void {
  const type = editor.schema.nodes[name];
  if (!type) return;
  const { tr } = editor.state;
  const formula = type.create({ latex: "" });
  if (name === "blockMath") insertBlock(tr, formula, true);
  else {
    tr.replaceSelectionWith(formula);
    const at = tr.selection.from - 1;
    if (tr.doc.nodeAt(at)?.type === type) tr.setSelection(NodeSelection.create(tr.doc, at));
  }
  editor.view.dispatch(tr.scrollIntoView());
  editor.commands.focus();
}

function insertDetails(editor: Editor): void {
  const { $from, $to } = editor.state.selection;
  const range = $from.blockRange($to);
  const { details, detailsSummary, detailsContent } = editor.schema.nodes;
  if (!range || !details || !detailsSummary || !detailsContent) return;
  const inside = editor.state.doc.slice(range.start, range.end).content;
  const block = details.create(null, [detailsSummary.create(), detailsContent.create(null, inside)]);
  const tr = editor.state.tr.replaceRangeWith(range.start, range.end, block);
  editor.view.dispatch(tr);
  editor
    .chain()
    .focus(range.start + 2)
    .run();
}

/** The entries whose name or search terms start with the query; matches by name come first. */
export function findInserts(query: string, nameOf: (id: InsertId) => string): readonly Insert[] {
  const typed = query.trim().toLowerCase().replaceAll("ё", "е");
  if (typed === "") return INSERTS;
  const rank = (insert: Insert) => {
    const name = nameOf(insert.id).toLowerCase().replaceAll("ё", "е");
    if (name.startsWith(typed)) return 0;
    if (name.includes(` ${typed}`)) return 1;
    return insert.words.split(" ").some((word) => word.startsWith(typed)) ? 2 : 3;
  };
  return INSERTS.map((insert) => ({ insert, rank: rank(insert) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ insert }) => insert);
}
