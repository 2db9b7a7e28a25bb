import { Extension } from "@tiptap/core";
import {
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from "@tiptap/pm/state";

type Dispatch = ((tr: Transaction) => void) | undefined;

/** Key bindings of the page editor, in addition to those of its nodes and marks. */
export const Keys = Extension.create({
  name: "keys",
  // Higher than the priority of the nodes' key bindings.
  priority: 200,
  addKeyboardShortcuts() {
    const run = (command: (state: EditorState, dispatch: Dispatch) => boolean) => () =>
      command(this.editor.state, this.editor.view.dispatch);
    return {
      "Alt-ArrowUp": run(moveBlock(-1)),
      "Alt-ArrowDown": run(moveBlock(1)),
      "Mod-Enter": run(paragraphAfterBlock),
      Enter: run((state, dispatch) => enterInSummary(state, dispatch) || indentedNewLine(state, dispatch)),
      Backspace: run(unwrapAtStart),
    };
  },
});

/** Command that swaps the outermost block of the selection with its neighbour. */
export function moveBlock(direction: -1 | 1) {
  return (state: EditorState, dispatch: Dispatch): boolean => {
    const { $from, $to } = state.selection;
    const first = $from.index(0);
    const last = $to.depth === 0 ? Math.max(first, $to.index(0) - 1) : $to.index(0);
    const neighbour = direction === -1 ? first - 1 : last + 1;
    if (neighbour < 0 || neighbour >= state.doc.childCount) return false;
    if (!dispatch) return true;
    const start = offsetOf(state, first);
    const end = offsetOf(state, last + 1);
    const other = state.doc.child(neighbour);
    const at = direction === -1 ? start - other.nodeSize : end;
    const tr = state.tr.delete(at, at + other.nodeSize);
    tr.insert(direction === -1 ? end - other.nodeSize : start, other);
    const shift = direction === -1 ? -other.nodeSize : other.nodeSize;
    const moved = state.selection;
    tr.setSelection(
      moved instanceof NodeSelection
        ? NodeSelection.create(tr.doc, moved.from + shift)
        : TextSelection.between(tr.doc.resolve(moved.anchor + shift), tr.doc.resolve(moved.head + shift)),
    );
    dispatch(tr.scrollIntoView());
    return true;
  };
}

function offsetOf(state: EditorState, index: number): number {
  let offset = 0;
  for (let at = 0; at < index; at += 1) offset += state.doc.child(at).nodeSize;
  return offset;
}

/** Inserts a paragraph after the outermost block, so that the cursor can leave any block. */
function paragraphAfterBlock(state: EditorState, dispatch: Dispatch): boolean {
  const { $to } = state.selection;
  const paragraph = state.schema.nodes.paragraph?.create();
  if (!paragraph) return false;
  if (dispatch) {
    const at = $to.depth === 0 ? $to.pos : $to.after(1);
    const tr = state.tr.insert(at, paragraph);
    dispatch(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView());
  }
  return true;
}

/** Moves the cursor from the summary of a collapsible block into its content. */
function enterInSummary(state: EditorState, dispatch: Dispatch): boolean {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type.name !== "detailsSummary") return false;
  if (dispatch) {
    const content = $from.after() + 1;
    dispatch(state.tr.setSelection(Selection.near(state.doc.resolve(content))).scrollIntoView());
  }
  return true;
}

/** Starts a new line of code with the indentation of the previous one. */
function indentedNewLine(state: EditorState, dispatch: Dispatch): boolean {
  const { $from, $to } = state.selection;
  if (!$from.parent.type.spec.code || !$from.sameParent($to)) return false;
  const before = $from.parent.textBetween(0, $from.parentOffset);
  // Enter after two empty lines at the end leaves the block; the code block handles that.
  if (before.endsWith("\n\n") && $from.parentOffset === $from.parent.content.size) return false;
  const indent = /(?:^|\n)([ \t]*)[^\n]*$/.exec(before)?.[1] ?? "";
  if (dispatch) dispatch(state.tr.insertText(`\n${indent}`).scrollIntoView());
  return true;
}

/** At the very start of a call-out or a collapsible block, Backspace removes the block and keeps its text. */
function unwrapAtStart(state: EditorState, dispatch: Dispatch): boolean {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset !== 0) return false;
  if ($from.parent.type.name === "detailsSummary") return unwrapDetails(state, dispatch, $from.before());
  const wrapper = $from.depth >= 2 ? $from.node(-1) : null;
  if (wrapper?.type.name !== "callout" || $from.index(-1) !== 0) return false;
  if (dispatch) {
    const at = $from.before(-1);
    const tr = state.tr.replaceWith(at, at + wrapper.nodeSize, wrapper.content);
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(at + 1))).scrollIntoView());
  }
  return true;
}

function unwrapDetails(state: EditorState, dispatch: Dispatch, summaryAt: number): boolean {
  const details = state.doc.resolve(summaryAt).parent;
  const [summary, content] = [details.firstChild, details.lastChild];
  const line = summary && state.schema.nodes.paragraph?.create(null, summary.content);
  if (!line || !content) return false;
  if (dispatch) {
    const at = summaryAt - 1;
    const tr = state.tr.replaceWith(at, at + details.nodeSize, [line, ...content.children]);
    dispatch(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView());
  }
  return true;
}

/** Replaces a block that contains blocks with its content. */
export function unwrap(state: EditorState, dispatch: Dispatch, at: number): boolean {
  const node = state.doc.nodeAt(at);
  if (!node) return false;
  if (node.type.name === "details") return unwrapDetails(state, dispatch, at + 1);
  if (dispatch) {
    const tr = state.tr.replaceWith(at, at + node.nodeSize, node.content);
    dispatch(tr.setSelection(Selection.near(tr.doc.resolve(at + 1))).scrollIntoView());
  }
  return true;
}
