import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";

/** The block whose settings the panel shows: the selected one, else the nearest one around the cursor that has settings. */
export interface Target {
  type: TargetType;
  pos: number;
  node: Node;
}

const ATOMS = ["image", "video", "audio", "attachment", "embed", "blockMath", "inlineMath"] as const;
const AROUND = ["codeBlock", "table", "callout", "details"] as const;
type TargetType = (typeof ATOMS)[number] | (typeof AROUND)[number];

export function targetOf(editor: Editor): Target | null {
  const { selection } = editor.state;
  if (selection instanceof NodeSelection) {
    const type = [...ATOMS, ...AROUND].find((name) => name === selection.node.type.name);
    return type ? { type, pos: selection.from, node: selection.node } : null;
  }
  const { $head } = selection;
  for (let depth = $head.depth; depth > 0; depth -= 1) {
    const node = $head.node(depth);
    const type = AROUND.find((name) => name === node.type.name);
    if (type) return { type, pos: $head.before(depth), node };
  }
  return null;
}

/** Changes attributes of the block at its current position, as one undo step. */
export function setAttributes(editor: Editor, target: Target, attributes: Record<string, unknown>): void {
  const node = editor.state.doc.nodeAt(target.pos);
  if (node?.type !== target.node.type) return;
  const { tr } = editor.state;
  for (const [name, value] of Object.entries(attributes)) tr.setNodeAttribute(target.pos, name, value);
  // A selected block stays selected.
  if (editor.state.selection instanceof NodeSelection)
    tr.setSelection(NodeSelection.create(tr.doc, target.pos));
  editor.view.dispatch(tr);
}

export function remove(editor: Editor, target: Target): void {
  const { node, pos } = target;
  editor
    .chain()
    .focus()
    .deleteRange({ from: pos, to: pos + node.nodeSize })
    .run();
}
