import { Editor, type Extensions, Node } from "@tiptap/core";
import { ListKeymap } from "@tiptap/extension-list";
import { UndoRedo } from "@tiptap/extensions";
import type { Node as DocumentNode } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import documentStyles from "../content/Document.module.css";
import { FocusAtOnce } from "../editor/behaviour/focusAtOnce";
import { Rules } from "../editor/behaviour/rules";
import { Uploads } from "../editor/behaviour/uploads";
import { Paste } from "../editor/paste";
import { marks, nodes } from "../editor/schema";
import { fromStored } from "../editor/stored";
import { views } from "../editor/views/views";
import { newId } from "../ui/newId";
import styles from "./RichField.module.css";

/** A gap in the text of a question that is filled in. */
export const BlankNode = Node.create({
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
      // A pasted gap that is there already is another gap.
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
  /** The id of what names the field. */
  labelledBy: string;
  describedBy: string | undefined;
  hasBlanks: boolean;
  onChange: (doc: DocumentNode) => void;
  onFocus: () => void;
}

/** A small editor of the page editor's own model: what a page may hold, a prompt may hold. Null for a text it cannot hold whole. */
export function createRichEditor(options: Options): Editor | null {
  const { element, content, labelledBy, describedBy, hasBlanks, onChange, onFocus } = options;
  const editor = new Editor({
    element,
    extensions: extensions(hasBlanks),
    injectCSS: false,
    editorProps: {
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
    onUpdate: ({ transaction }) => {
      if (transaction.docChanged) onChange(transaction.doc);
    },
  });
  const document = fromStored(editor.schema, content);
  if (!document) {
    editor.destroy();
    return null;
  }
  editor.commands.setContent(document.toJSON(), { emitUpdate: false });
  return editor;
}

function extensions(hasBlanks: boolean): Extensions {
  const shown = Object.values(nodes).map((node) => {
    const view = views[node.name as keyof typeof views];
    if (!view) return node;
    return node.extend({
      addNodeView: () => (props) =>
        view(props.node, props.view, props.getPos as () => number, props.decorations, props.innerDecorations),
    });
  });
  const blank = hasBlanks ? [BlankNode] : [];
  return [
    ...shown,
    ...Object.values(marks),
    ...blank,
    UndoRedo,
    ListKeymap,
    FocusAtOnce,
    Rules,
    Uploads,
    Paste.configure({ hasPage: () => false }),
  ] as Extensions;
}
