import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/**
 * Sets the selection of a field again after a key or a script has focused it. Chromium anchors such a selection to the start of the field:
 * after a table is pasted there, it is before the table, where no text can be typed.
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
