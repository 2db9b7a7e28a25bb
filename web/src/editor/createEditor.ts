import { Editor, type Extensions } from "@tiptap/core";
import { ListKeymap } from "@tiptap/extension-list";
import { Dropcursor, Gapcursor, UndoRedo } from "@tiptap/extensions";
import { closeHistory } from "@tiptap/pm/history";
import type { Node } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import tableStyles from "../content/blocks/Table.module.css";
import documentStyles from "../content/Document.module.css";
import { i18n } from "../i18n";
import { FocusAtOnce } from "./behaviour/focusAtOnce";
import { Keys } from "./behaviour/keys";
import { Placeholder } from "./behaviour/placeholder";
import { Rules } from "./behaviour/rules";
import { Slash } from "./behaviour/slash";
import { Uploads } from "./behaviour/uploads";
import styles from "./ContentEditor.module.css";
import { Paste } from "./paste";
import { marks, nodes } from "./schema";
import { views } from "./views/views";

/** Marks a transaction that brings what the server holds: nothing is to be saved. */
export const FROM_SERVER = "fromServer";

interface Options {
  element: HTMLElement;
  /** As it is stored; the caller has seen that the editor can hold it. */
  content: unknown;
  label: string;
  hasPage: (pageId: string) => boolean;
  onChange: (doc: Node, steps: unknown[]) => void;
}

/** The model with its views, and everything that makes writing in it pleasant. */
function extensions(hasPage: Options["hasPage"]): Extensions {
  const shown = Object.values({
    ...nodes,
    Table: nodes.Table.configure({ resizable: true, cellMinWidth: 64 }),
  }).map((node) => {
    const view = views[node.name as keyof typeof views];
    return view
      ? node.extend({
          addNodeView: () => (props) =>
            view(
              props.node,
              props.view,
              props.getPos as () => number,
              props.decorations,
              props.innerDecorations,
            ),
        })
      : node;
  });
  return [
    ...shown,
    ...Object.values(marks),
    UndoRedo,
    ListKeymap,
    FocusAtOnce,
    Dropcursor.configure({ color: "var(--k-accent)", width: 2 }),
    Gapcursor,
    Keys,
    Rules,
    Placeholder,
    Slash,
    Uploads,
    Paste.configure({ hasPage }),
  ] as Extensions;
}

export function createEditor({ element, content, label, hasPage, onChange }: Options): Editor {
  const editor = new Editor({
    element,
    extensions: extensions(hasPage),
    content: content as never,
    // The page's own policy keeps style sheets where they are; ours is ContentEditor.module.css.
    injectCSS: false,
    editorProps: {
      attributes: {
        class: [documentStyles.document, styles.content].join(" "),
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        lang: i18n.language,
        spellcheck: "true",
      },
      handleClick: (_view, _pos, event) => {
        // A click on a link is for writing in it; with the key that opens tabs everywhere it is followed.
        const link = event.target instanceof Element ? event.target.closest("a") : null;
        if (link && (event.ctrlKey || event.metaKey)) window.open(link.href, "_blank", "noopener");
        return false;
      },
    },
    onTransaction: ({ transaction }: { transaction: Transaction }) => {
      if (!transaction.docChanged || transaction.getMeta(FROM_SERVER)) return;
      onChange(
        transaction.doc,
        transaction.steps.map((step) => step.toJSON()),
      );
    },
  });
  return editor;
}

/** Puts another text into the editor as one step that can be undone. */
export function replaceContent(editor: Editor, content: unknown, fromServer: boolean): boolean {
  try {
    const doc = editor.schema.nodeFromJSON(content);
    const { tr } = editor.state;
    tr.replaceWith(0, tr.doc.content.size, doc.content);
    if (fromServer) tr.setMeta(FROM_SERVER, true);
    // Not one step with what was typed a moment ago.
    editor.view.dispatch(closeHistory(tr));
    return true;
  } catch {
    return false;
  }
}

/**
 * Puts in what somebody else has saved: only what differs is changed, so that the cursor and what is looked at stay where they
 * are, and it is not for this author to undo.
 */
export function followContent(editor: Editor, content: unknown): boolean {
  try {
    const doc = editor.schema.nodeFromJSON(content);
    const { tr } = editor.state;
    const from = tr.doc.content.findDiffStart(doc.content);
    const ends = tr.doc.content.findDiffEnd(doc.content);
    if (from === null || ends === null) return true;
    // Of «аа» and «ааа» the beginning and the end overlap.
    const overlap = Math.max(0, from - Math.min(ends.a, ends.b));
    tr.replace(from, ends.a + overlap, doc.slice(from, ends.b + overlap));
    if (!tr.doc.eq(doc)) tr.replaceWith(0, tr.doc.content.size, doc.content);
    editor.view.dispatch(tr.setMeta(FROM_SERVER, true).setMeta("addToHistory", false));
    return true;
  } catch {
    return false;
  }
}

export { tableStyles };
