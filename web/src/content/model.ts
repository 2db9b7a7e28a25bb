/**
 * The shapes of docs/content-model.md as TypeScript sees them. The server has validated every document it stores, but a page
 * may be older or newer than this program, so attributes are read through the guards below and never trusted.
 */
export interface ContentNode {
  type: string;
  attrs?: Record<string, unknown> | null;
  content?: ContentNode[];
  marks?: ContentMark[];
  text?: string;
}

export interface ContentMark {
  type: string;
  attrs?: Record<string, unknown> | null;
}

/** No document is deeper than this; one that is cannot have come through the server's validation. */
export const MAX_DEPTH = 64;

export function isNode(value: unknown): value is ContentNode {
  return typeof value === "object" && value !== null && typeof (value as ContentNode).type === "string";
}

export function childrenOf(node: ContentNode): ContentNode[] {
  return Array.isArray(node.content) ? node.content : [];
}

export function stringAttr(node: ContentNode, name: string): string | null {
  const value = node.attrs?.[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** A whole number above zero, else null. */
export function sizeAttr(node: ContentNode, name: string): number | null {
  const value = node.attrs?.[name];
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null;
}

export function flagAttr(node: ContentNode, name: string): boolean {
  return node.attrs?.[name] === true;
}

/** One of `allowed`, else null. */
export function choiceAttr<T extends string>(
  node: ContentNode,
  name: string,
  allowed: readonly T[],
): T | null {
  const value = node.attrs?.[name];
  return allowed.find((choice) => choice === value) ?? null;
}

/** What a reader sees of a node when everything but its words is taken away. */
export function plainText(node: ContentNode): string {
  if (node.type === "hardBreak") return " ";
  if (node.type === "inlineMath") return stringAttr(node, "latex") ?? "";
  return typeof node.text === "string" ? node.text : childrenOf(node).map(plainText).join("");
}

/** Whether the document holds a node of one of these types, not looking deeper than a valid document goes. */
export function holds(node: ContentNode, types: readonly string[], depth = 0): boolean {
  if (types.includes(node.type)) return true;
  return (
    depth < MAX_DEPTH && childrenOf(node).some((child) => isNode(child) && holds(child, types, depth + 1))
  );
}

/** How many nodes there are in this one, itself counted. */
export function size(node: ContentNode, depth = 0): number {
  if (depth >= MAX_DEPTH) return 1;
  return childrenOf(node).reduce((sum, child) => sum + (isNode(child) ? size(child, depth + 1) : 1), 1);
}
