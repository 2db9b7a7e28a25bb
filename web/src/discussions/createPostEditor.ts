import { Editor, Extension, type Extensions, type JSONContent } from "@tiptap/core";
import { ListKeymap } from "@tiptap/extension-list";
import { Dropcursor, Gapcursor } from "@tiptap/extensions";
import documentStyles from "../content/Document.module.css";
import { AnchorSelection } from "../editor/behaviour/anchorSelection";
import { WriteBelow } from "../editor/behaviour/blocks";
import { CodeColours } from "../editor/behaviour/codeColours";
import { FocusAtOnce } from "../editor/behaviour/focusAtOnce";
import { History } from "../editor/behaviour/history";
import { Keys } from "../editor/behaviour/keys";
import { Rules } from "../editor/behaviour/rules";
import { TypeOver } from "../editor/behaviour/typeOver";
import { Uploads } from "../editor/behaviour/uploads";
import contentStyles from "../editor/ContentEditor.module.css";
import { Paste } from "../editor/paste";
import { type OnDocumentChange, reportChanges } from "../editor/reportChanges";
import { marks, nodes } from "../editor/schema";
import { withViews } from "../editor/views/views";
import { i18n } from "../i18n";
import styles from "./PostEditor.module.css";

interface Options {
  element: HTMLElement;
  /** A document of the nodes of posts. */
  content: unknown;
  label: string;
  placeholder: string;
  hasPage: (pageId: string) => boolean;
  onChange: OnDocumentChange;
  /** Called for Ctrl+Enter. */
  onSend: () => void;
  /** Called for Escape. */
  onEscape: () => void;
}

/** The nodes of posts (core/formats/src/content/post.rs). */
function postNodes() {
  const { Document, Paragraph, Text, HardBreak, BulletList, OrderedList, ListItem, Blockquote } = nodes;
  const { CodeBlock, Image, BlockMath, InlineMath } = nodes;
  const texts = { Document, Paragraph, Text, HardBreak, BulletList, OrderedList, ListItem, Blockquote };
  return { ...texts, CodeBlock, Image, BlockMath, InlineMath };
}

function extensions({ hasPage, onSend, onEscape }: Options): Extensions {
  const Sending = Extension.create({
    name: "sending",
    // Before the keys of the page editor, where Ctrl+Enter leaves a block.
    priority: 300,
    addKeyboardShortcuts: () => ({
      "Mod-Enter": () => {
        onSend();
        return true;
      },
      Escape: () => {
        onEscape();
        return true;
      },
    }),
  });
  return [
    ...withViews(postNodes()),
    ...Object.values(marks),
    Sending,
    History,
    ListKeymap,
    FocusAtOnce,
    Dropcursor.configure({ color: "var(--k-accent)", width: 2 }),
    Gapcursor,
    Keys,
    Rules,
    Uploads,
    TypeOver,
    AnchorSelection,
    WriteBelow,
    CodeColours,
    Paste.configure({ hasPage }),
  ] as Extensions;
}

/** The page editor with the nodes of posts. */
export function createPostEditor(options: Options): Editor {
  const { element, content, label, placeholder, onChange } = options;
  const editor = new Editor({
    element,
    extensions: extensions(options),
    content: content as JSONContent,
    injectCSS: false,
    editorProps: {
      attributes: {
        class: [documentStyles.document, contentStyles.content, styles.text].join(" "),
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        "data-hint": placeholder,
        lang: i18n.language,
        spellcheck: "true",
      },
    },
  });
  reportChanges(editor, onChange);
  return editor;
}
