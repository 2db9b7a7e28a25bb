import { type ContentMark, type ContentNode, childrenOf } from "../../content/model";
import { align } from "./align";
import { blocksOf, keyOf } from "./diffBlocks";
import { BEFORE, CHANGE, changeMark, type OneSided, type TextChange } from "./merged";
import { mergeTables } from "./mergeTables";
import { commonPairs } from "./sequence";
import { runsOf, wordPairs, wordsOf } from "./words";

/** The nodes whose content is text with marks. */
const TEXTS = new Set(["paragraph", "heading", "detailsSummary"]);
/** The nodes that hold blocks in an order that means something. */
const CONTAINERS = new Set([
  "bulletList",
  "orderedList",
  "listItem",
  "taskList",
  "taskItem",
  "blockquote",
  "tableHeader",
  "tableCell",
  "callout",
  "detailsContent",
]);
/** The nodes that hold other nodes than blocks. */
const HOLDS_ITEMS = new Set(["bulletList", "orderedList", "taskList", "table", "tableRow", "details"]);

const INLINE = new Set(["text", "hardBreak", "inlineMath", "blank"]);

/** Lines without changes that stay around a change in code. */
const LINES_AROUND = 3;

/** Both texts of a node in one; null for nodes without text, and for nodes that cannot be one. */
export function mergeNodes(before: ContentNode, after: ContentNode): ContentNode | null {
  if (before.type !== after.type) return null;
  const content = mergeContent(before, after);
  if (!content) return null;
  const isOther = keyOf({ type: before.type, attrs: before.attrs }) !== keyOf({ ...after, content: [] });
  const attrs = { ...after.attrs, ...(isOther && { [BEFORE]: before.attrs ?? {} }) };
  return { type: after.type, ...(Object.keys(attrs).length > 0 && { attrs }), content };
}

function mergeContent(before: ContentNode, after: ContentNode): ContentNode[] | null {
  const [a, b] = [childrenOf(before), childrenOf(after)];
  if (TEXTS.has(after.type)) return mergeInline(a, b);
  if (after.type === "codeBlock") return mergeLines(textOf(before), textOf(after));
  if (after.type === "table") return mergeTables(before, after, { mergeNodes, whole });
  if (after.type === "details") {
    const parts = b.map((part, at) => mergeNodes(a[at] ?? part, part));
    return a.length === b.length && parts.every((part) => part !== null) ? parts : null;
  }
  return CONTAINERS.has(after.type) ? mergeChildren(a, b, !HOLDS_ITEMS.has(after.type)) : null;
}

function mergeChildren(before: ContentNode[], after: ContentNode[], labelled: boolean): ContentNode[] {
  return align(before, after).flatMap((one): ContentNode[] => {
    if (one.kind === "same") return [one.after];
    if (one.kind === "added") return whole(one.after, "added", labelled);
    if (one.kind === "removed") return whole(one.before, "removed", labelled);
    const merged = mergeNodes(one.before, one.after);
    if (merged) return [merged];
    return [...whole(one.before, "removed", labelled), ...whole(one.after, "added", labelled)];
  });
}

/** A node that only one text has: all of its text is marked, and a label stands before what has no text. */
function whole(node: ContentNode, change: OneSided, labelled = false): ContentNode[] {
  const own = { ...node, attrs: { ...node.attrs, [CHANGE]: change } };
  const isText = TEXTS.has(node.type) || node.type === "codeBlock";
  if (isText || node.type === "table" || CONTAINERS.has(node.type) || HOLDS_ITEMS.has(node.type))
    return [
      { ...own, ...(node.content && { content: node.content.flatMap((child) => inside(child, change)) }) },
    ];
  return labelled ? [labelOf(node.type, change), own] : [own];
}

/** A node inside of one that only one text has. */
function marked(node: ContentNode, change: OneSided): ContentNode {
  if (node.content) return { ...node, content: node.content.flatMap((child) => inside(child, change)) };
  if (!INLINE.has(node.type)) return node;
  return { ...node, marks: [changeMark({ at: change }), ...(node.marks ?? [])] };
}

const inside = (child: ContentNode, change: OneSided): ContentNode[] =>
  child.content || INLINE.has(child.type) || TEXTS.has(child.type) || child.type === "codeBlock"
    ? [marked(child, change)]
    : [labelOf(child.type, change), child];

function labelOf(type: string, change: OneSided): ContentNode {
  const marks = [changeMark({ at: "label", change, of: type })];
  return {
    type: "paragraph",
    attrs: { [CHANGE]: "label" },
    content: [{ type: "text", text: type, marks }],
  };
}

interface Token {
  key: string;
  node: ContentNode;
  text?: string;
}

function tokensOf(nodes: readonly ContentNode[]): Token[] {
  return nodes.flatMap((node): Token[] =>
    typeof node.text === "string"
      ? wordsOf(node.text).map((text) => ({ key: text, node, text }))
      : [{ key: keyOf({ ...node, marks: [] }), node }],
  );
}

/** Text of both texts, word by word. */
function mergeInline(before: readonly ContentNode[], after: readonly ContentNode[]): ContentNode[] {
  const [a, b] = [tokensOf(before), tokensOf(after)];
  const merged = new InlineNodes();
  const pairs = wordPairs(
    a.map(({ key }) => key),
    b.map(({ key }) => key),
  );
  for (const run of runsOf(pairs, a.length, b.length)) {
    if (run.kind === "changed") {
      for (const token of a.slice(...run.before)) merged.add(token, { at: "removed" });
      for (const token of b.slice(...run.after)) merged.add(token, { at: "added" });
    } else
      for (const [at, token] of b.slice(...run.after).entries()) {
        const was = a[run.before[0] + at]?.node.marks ?? [];
        const isRestyled = marksKey(was) !== marksKey(token.node.marks ?? []);
        merged.add(token, isRestyled ? { at: "restyled", before: was } : null);
      }
  }
  return merged.nodes;
}

const marksKey = (marks: readonly ContentMark[]): string =>
  keyOf({ type: "text", text: "", marks: [...marks] });

/** Joins neighbouring text of the same kind. */
class InlineNodes {
  readonly nodes: ContentNode[] = [];
  #last = "";

  add({ node, text }: Token, change: TextChange | null): void {
    const marks = [...(change ? [changeMark(change)] : []), ...(node.marks ?? [])];
    const key = text === undefined ? "" : JSON.stringify(change) + marksKey(node.marks ?? []);
    const last = this.nodes.at(-1);
    if (text !== undefined && key === this.#last && last) last.text = `${last.text}${text}`;
    else
      this.nodes.push({ ...node, ...(text !== undefined && { text }), ...(marks.length > 0 && { marks }) });
    this.#last = key;
  }
}

/** Code of both texts, line by line; what lies far from any change is folded. */
function mergeLines(before: string, after: string): ContentNode[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const nodes: ContentNode[] = [];
  const push = (lines: readonly string[], change: TextChange | null) => {
    if (lines.length === 0) return;
    const marks = change && [changeMark(change)];
    nodes.push({ type: "text", text: lines.join(""), ...(marks && { marks }) });
  };
  const runs = runsOf(commonPairs(a, b), a.length, b.length);
  for (const [at, run] of runs.entries()) {
    if (run.kind === "changed") {
      push(a.slice(...run.before), { at: "removed" });
      push(b.slice(...run.after), { at: "added" });
      continue;
    }
    const lines = b.slice(...run.after);
    const head = at === 0 ? 0 : LINES_AROUND;
    const tail = at === runs.length - 1 ? 0 : LINES_AROUND;
    const hidden = lines.length - head - tail;
    if (runs.length === 1 || hidden < LINES_AROUND) push(lines, null);
    else {
      push(lines.slice(0, head), null);
      push(lines.slice(head, head + hidden), { at: `folded ${at}`, lines: hidden });
      push(lines.slice(head + hidden), null);
    }
  }
  return nodes;
}

const linesOf = (code: string): string[] => code.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const textOf = (node: ContentNode): string =>
  childrenOf(node)
    .map(({ text }) => text ?? "")
    .join("");

/** Two documents in one. */
export const mergeDocuments = (before: unknown, after: unknown): ContentNode[] =>
  mergeChildren(blocksOf(before), blocksOf(after), true);
