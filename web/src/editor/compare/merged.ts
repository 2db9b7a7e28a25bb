import type { ContentMark, ContentNode } from "../../content/model";
import { PLACE } from "../../content/places";

/**
 * A merged document contains the nodes of two texts. The components of the reading page render it like any other document: changed text has
 * a mark of the type `PLACE`, and changed nodes have an attribute that stored nodes never have.
 */

/** The attribute of a node that only one text has: "added" or "removed"; or "label" for a note about the node after it. */
export const CHANGE = "compare:change";
/** The attribute of a node with the attributes that it had before. */
export const BEFORE = "compare:before";

export type Side = "before" | "after";
export type OneSided = "added" | "removed";

/** What the mark of changed text says. */
export type TextChange =
  | { at: OneSided }
  /** The text has other marks than before. */
  | { at: "restyled"; before: ContentMark[] }
  /** Text of one kind of node, for the reader, which no text has. */
  | { at: "label"; change: OneSided; of: string }
  /** Lines of code without changes. */
  | { at: `folded ${number}`; lines: number };

/** The text that has what changed. */
const sideOf = (change: OneSided): Side => (change === "added" ? "after" : "before");

export const changeMark = (change: TextChange): ContentMark => ({ type: PLACE, attrs: { ...change } });

function changeOf(mark: ContentMark | undefined): TextChange | null {
  return mark?.type === PLACE ? (mark.attrs as unknown as TextChange) : null;
}

/** One of the two texts of a merged node; null if that text does not have the node. With `marked`, changed text keeps its mark. */
export function ofSide(node: ContentNode, side: Side, marked = false): ContentNode | null {
  const { [CHANGE]: change, [BEFORE]: before, ...own } = node.attrs ?? {};
  if ((change === "added" || change === "removed") && sideOf(change) !== side) return null;

  const mark = node.marks?.find(({ type }) => type === PLACE);
  const text = changeOf(mark);
  if ((text?.at === "added" || text?.at === "removed") && sideOf(text.at) !== side) return null;
  if (text?.at === "label" && sideOf(text.change) !== side) return null;
  const plain = node.marks?.filter((one) => one !== mark);
  const styled = text?.at === "restyled" && side === "before" ? text.before : plain;
  const marks = mark && marked ? [mark, ...(styled ?? [])] : styled;

  const attrs = side === "before" && before !== undefined ? (before as ContentNode["attrs"]) : own;
  const content = node.content?.flatMap((child) => ofSide(child, side, marked) ?? []);
  // A label describes the node after it, so it is dropped with that node.
  if (change === "label" && (!marked || content?.length === 0)) return null;
  return {
    type: node.type,
    ...(attrs && Object.keys(attrs).length > 0 && { attrs }),
    ...(content && { content }),
    ...(marks && marks.length > 0 && { marks }),
    ...(node.text !== undefined && { text: node.text }),
  };
}

/** Whether only the look of some text of a merged node has changed. */
export const hasRestyled = (node: ContentNode): boolean =>
  (node.marks ?? []).some((mark) => changeOf(mark)?.at === "restyled") ||
  (node.content ?? []).some(hasRestyled);
