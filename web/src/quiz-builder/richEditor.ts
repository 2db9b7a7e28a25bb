import { Editor, type Extensions, Node } from "@tiptap/core";
import { ListKeymap } from "@tiptap/extension-list";
import type { Node as DocumentNode } from "@tiptap/pm/model";
import { Plugin, type Selection } from "@tiptap/pm/state";
import { flushSync } from "react-dom";
import documentStyles from "../content/Document.module.css";
import { AnchorSelection } from "../editor/behaviour/anchorSelection";
import { WriteBelow } from "../editor/behaviour/blocks";
import { FocusAtOnce } from "../editor/behaviour/focusAtOnce";
import { History } from "../editor/behaviour/history";
import { Rules } from "../editor/behaviour/rules";
import { Slash } from "../editor/behaviour/slash";
import { TypeOver } from "../editor/behaviour/typeOver";
import { Uploads } from "../editor/behaviour/uploads";
import { Paste } from "../editor/paste";
import { marks, nodes } from "../editor/schema";
import { fromStored } from "../editor/stored";
import { withViews } from "../editor/views/views";
import { newId } from "../ui/newId";
import { isEmptyDocument, listLines } from "./model";
import styles from "./RichField.module.css";

/** A blank in the text of a fill-in-the-blank question. */
const BlankNode = Node.create({
  name: "blank",
  group: "inline",
  inline: true,
  atom: true,
  selectable: true,
  addAttributes: () => ({
    blank_id: {
      default: null,
      parseHTML: (element: HTMLElement) => element.getAttribute("data-blank"),
      renderHTML: (attributes: Record<string, unknown>) => ({ "data-blank": String(attributes.blank_id) }),
    },
  }),
  parseHTML: () => [{ tag: "span[data-blank]" }],
  renderHTML: ({ HTMLAttributes }) => ["span", { ...HTMLAttributes, class: styles.blank ?? "" }],
  addProseMirrorPlugins: () => [
    new Plugin({
      // A pasted copy of a blank becomes a blank of its own.
      appendTransaction(transactions, _before, state) {
        if (!transactions.some(({ docChanged }) => docChanged)) return null;
        const seen = new Set<string>();
        const { tr } = state;
        state.doc.descendants((node, at) => {
          if (node.type.name !== "blank") return;
          const id = String(node.attrs.blank_id);
          if (seen.has(id)) tr.setNodeMarkup(at, null, { blank_id: newId() });
          seen.add(id);
        });
        return tr.docChanged ? tr : null;
      },
    }),
  ],
});

interface Options {
  element: HTMLElement;
  content: unknown;
  /** Id of the field's label. */
  labelledBy: string;
  describedBy: string | undefined;
  hasBlanks: boolean;
  /** Disables files and videos, which an answer cannot contain. */
  isEssay?: boolean;
  onChange: (doc: DocumentNode) => void;
  onFocus: () => void;
  /** Called for Enter in a paragraph. Returns false if Enter adds a paragraph. */
  onEnter: () => boolean;
  /** Called for Ctrl+Enter. Returns false if it adds a line break. */
  onMark?: () => boolean;
  /** Takes a text that is pasted into the empty field. Returns false for a text that belongs in the field. */
  onText?: (text: string) => boolean;
  /** Whether `onLines` takes so many lines: all but the first one of a list that is pasted into the empty field. */
  takesLines: (count: number) => boolean;
  onLines: (lines: string[]) => void;
}

/** Creates a small editor with the page editor's content model. Returns null for content that the editor cannot hold without loss. */
export function createRichEditor(options: Options): Editor | null {
  const { element, content, labelledBy, describedBy, hasBlanks, onChange, onFocus } = options;
  const editor = new Editor({
    element,
    extensions: extensions(hasBlanks, options.isEssay ?? false),
    injectCSS: false,
    editorProps: {
      handleKeyDown: (view, event) => {
        if (
          event.key === "Enter" &&
          (event.ctrlKey || event.metaKey) &&
          !event.isComposing &&
          options.onMark?.()
        )
          return true;
        const isPlainEnter =
          event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.isComposing;
        return isPlainEnter && isInParagraph(view.state.selection) && options.onEnter();
      },
      handlePaste: (view, event) => {
        if (!isEmptyDocument(view.state.doc.toJSON())) return false;
        // Plain text would lose what is more than text, so this field takes it whole.
        if (/<(?:img|table|pre|math|video|audio)\b/i.test(event.clipboardData?.getData("text/html") ?? ""))
          return false;
        const text = event.clipboardData?.getData("text/plain") ?? "";
        if (options.onText?.(text)) return true;
        const [first, ...further] = listLines(text) ?? [];
        if (!first || !options.takesLines(further.length)) return false;
        // The parent must have the first line before it adds the others.
        flushSync(() => view.dispatch(view.state.tr.insertText(first, 1)));
        options.onLines(further);
        return true;
      },
      attributes: {
        class: `${documentStyles.document} ${styles.text}`,
        role: "textbox",
        "aria-multiline": "true",
        "aria-labelledby": labelledBy,
        ...(describedBy && { "aria-describedby": describedBy }),
        spellcheck: "true",
      },
    },
    onFocus,
    // The editor's state includes what plugins append, such as the new id of a pasted blank.
    onUpdate: ({ editor }) => onChange(editor.state.doc),
  });
  const document = fromStored(editor.schema, content);
  if (!document) {
    editor.destroy();
    return null;
  }
  const { tr } = editor.state;
  tr.replaceWith(0, tr.doc.content.size, document.content);
  // Undo must not empty the field, and the parent knows this text.
  editor.view.dispatch(tr.setMeta("addToHistory", false).setMeta("preventUpdate", true));
  return editor;
}

/** Whether the cursor is in a paragraph at the top, where Enter has no meaning of its own, as it has in a list or in code. */
function isInParagraph({ $from }: Selection): boolean {
  return $from.depth === 1 && $from.parent.type.name === "paragraph";
}

function extensions(hasBlanks: boolean, isEssay: boolean): Extensions {
  const blank = hasBlanks ? [BlankNode] : [];
  const { Image, Video, Audio, Attachment, Embed, ...withoutFiles } = nodes;
  return [
    ...withViews(isEssay ? withoutFiles : nodes),
    ...Object.values(marks),
    ...blank,
    History,
    ListKeymap,
    FocusAtOnce,
    Rules,
    // An answer cannot contain what this menu inserts.
    ...(isEssay ? [] : [Slash]),
    Uploads,
    TypeOver,
    AnchorSelection,
    WriteBelow,
    Paste.configure({ hasPage: () => false }),
  ] as Extensions;
}
