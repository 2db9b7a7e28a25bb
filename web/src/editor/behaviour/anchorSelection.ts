import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/**
 * Sets the selection of a field that got the focus by a key or a script to what it already is. Chromium keeps such a selection as "the start
 * of the field": when a table is pasted there, it moves before the table, and the next letter is typed where no text can be.
 */
export const AnchorSelection = Extension.create({
  name: "anchorSelection",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleDOMEvents: {
          focus(view) {
            setTimeout(anchor, 0, view);
            return false;
          },
        },
      },
    }),
  ],
});

function anchor(view: EditorView): void {
  const selection = document.getSelection();
  if (view.isDestroyed || !selection?.isCollapsed || !view.dom.contains(selection.anchorNode)) return;
  selection.collapse(selection.anchorNode, selection.anchorOffset);
}
