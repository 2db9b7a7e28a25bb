import { Editor, type Extensions, type JSONContent } from "@tiptap/core";
import { ListKeymap } from "@tiptap/extension-list";
import { Dropcursor, Gapcursor } from "@tiptap/extensions";
import { closeHistory } from "@tiptap/pm/history";
import documentStyles from "../content/Document.module.css";
import { i18n } from "../i18n";
import { AnchorSelection } from "./behaviour/anchorSelection";
import { WriteBelow } from "./behaviour/blocks";
import { CodeColours } from "./behaviour/codeColours";
import { FocusAtOnce } from "./behaviour/focusAtOnce";
import { History } from "./behaviour/history";
import { Keys } from "./behaviour/keys";
import { Placeholder } from "./behaviour/placeholder";
import { Rules } from "./behaviour/rules";
import { Slash } from "./behaviour/slash";
import { TypeOver } from "./behaviour/typeOver";
import { Uploads } from "./behaviour/uploads";
import styles from "./ContentEditor.module.css";
import { Paste } from "./paste";
import { FROM_SERVER, type OnDocumentChange, reportChanges } from "./reportChanges";
import { marks, nodes } from "./schema";
import { withViews } from "./views/views";

interface Options {
  element: HTMLElement;
  /** The stored content; the caller has checked that the editor can hold it. */
  content: unknown;
  label: string;
  hasPage: (pageId: string) => boolean;
  onChange: OnDocumentChange;
}

/** The content model with its node views, keys, input rules and paste handling. */
function extensions(hasPage: Options["hasPage"]): Extensions {
  return [
    ...withViews({ ...nodes, Table: nodes.Table.configure({ resizable: true, cellMinWidth: 64 }) }),
    ...Object.values(marks),
    History,
    ListKeymap,
    FocusAtOnce,
    Dropcursor.configure({ color: "var(--k-accent)", width: 2 }),
    Gapcursor,
    Keys,
    Rules,
    Placeholder,
    Slash,
    Uploads,
    TypeOver,
    AnchorSelection,
    WriteBelow,
    CodeColours,
    Paste.configure({ hasPage }),
  ] as Extensions;
}

export function createEditor({ element, content, label, hasPage, onChange }: Options): Editor {
  const editor = new Editor({
    element,
    extensions: extensions(hasPage),
    content: content as JSONContent,
    // The content security policy forbids inline style sheets; ContentEditor.module.css holds these styles.
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
        // A click on a link places the cursor; with Ctrl or Cmd it opens the link.
        const link = event.target instanceof Element ? event.target.closest("a") : null;
        if (link && (event.ctrlKey || event.metaKey)) window.open(link.href, "_blank", "noopener");
        return false;
      },
    },
  });
  reportChanges(editor, onChange);
  return editor;
}

/** Replaces the text in the editor as one undo step. Returns false when the editor cannot hold it. */
export function replaceContent(editor: Editor, content: unknown, fromServer: boolean): boolean {
  try {
    const doc = editor.schema.nodeFromJSON(content);
    const { tr } = editor.state;
    tr.replaceWith(0, tr.doc.content.size, doc.content);
    if (fromServer) tr.setMeta(FROM_SERVER, true);
    // Without this the undo step would include recent typing.
    editor.view.dispatch(closeHistory(tr));
    return true;
  } catch {
    return false;
  }
}

/**
 * Shows content that another editor has saved. Changes only the part that differs, so that the cursor and the scroll position stay, and
 * adds nothing to the undo history. Returns false when the editor cannot hold it.
 */
export function followContent(editor: Editor, content: unknown): boolean {
  try {
    const doc = editor.schema.nodeFromJSON(content);
    const { tr } = editor.state;
    const from = tr.doc.content.findDiffStart(doc.content);
    const ends = tr.doc.content.findDiffEnd(doc.content);
    if (from === null || ends === null) return true;
    // The equal start and end of "aa" and "aaa" overlap.
    const overlap = Math.max(0, from - Math.min(ends.a, ends.b));
    tr.replace(from, ends.a + overlap, doc.slice(from, ends.b + overlap));
    if (!tr.doc.eq(doc)) tr.replaceWith(0, tr.doc.content.size, doc.content);
    editor.view.dispatch(tr.setMeta(FROM_SERVER, true).setMeta("addToHistory", false));
    return true;
  } catch {
    return false;
  }
}
