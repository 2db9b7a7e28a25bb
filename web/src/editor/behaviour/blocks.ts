import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection, Plugin, TextSelection, type Transaction } from "@tiptap/pm/state";

/**
 * Replaces the selection with a block without text, such as a formula or a video, and adds a paragraph below it if none follows, so that
 * the author can write on. `isSelected` selects the block; otherwise the cursor goes to the line below it.
 */
export function insertBlock(tr: Transaction, block: Node, isSelected = false): Transaction {
  tr.replaceSelectionWith(block);
  const at = positionOf(tr.doc, block);
  if (at === null) return tr;
  const below = lineBelow(tr, at);
  return tr.setSelection(isSelected ? NodeSelection.create(tr.doc, at) : TextSelection.create(tr.doc, below));
}

/** Text typed while such a block is selected starts a paragraph below it, so that it neither replaces the block nor joins the text above. */
export const WriteBelow = Extension.create({
  name: "writeBelow",
  // Before the input rules, which would look at the text above.
  priority: 1000,
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleTextInput(view, _from, _to, text) {
          const { selection, schema, tr } = view.state;
          const paragraph = schema.nodes.paragraph;
          if (!(selection instanceof NodeSelection) || !paragraph) return false;
          if (!selection.node.isBlock || !selection.node.isAtom) return false;
          tr.insert(selection.to, paragraph.create(null, schema.text(text)));
          tr.setSelection(TextSelection.create(tr.doc, selection.to + 1 + text.length));
          view.dispatch(tr.scrollIntoView());
          return true;
        },
      },
    }),
  ],
});

/** Position of this very node; null when it is not in the document. */
function positionOf(doc: Node, node: Node): number | null {
  let found: number | null = null;
  doc.descendants((one, at) => {
    if (one === node) found = at;
    return found === null;
  });
  return found;
}

/** Position inside the text block that follows the block at `at`; inserts a paragraph if there is none. */
function lineBelow(tr: Transaction, at: number): number {
  const end = at + (tr.doc.nodeAt(at)?.nodeSize ?? 0);
  const next = tr.doc.resolve(end).nodeAfter;
  const paragraph = tr.doc.type.schema.nodes.paragraph?.create();
  if (!next?.isTextblock && paragraph) tr.insert(end, paragraph);
  return end + 1;
}
