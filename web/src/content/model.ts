/**
 * TypeScript types of docs/content-model.md. The server validates stored documents, but a page may come from an older or newer version
 * of the app, so attributes are read through the guards below.
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

/** Maximum depth of a document; the server refuses deeper ones. */
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

/** Reads a positive integer, else null. */
export function sizeAttr(node: ContentNode, name: string): number | null {
  const value = node.attrs?.[name];
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null;
}

export function flagAttr(node: ContentNode, name: string): boolean {
  return node.attrs?.[name] === true;
}

/** Reads one of `allowed`, else null. */
export function choiceAttr<T extends string>(
  node: ContentNode,
  name: string,
  allowed: readonly T[],
): T | null {
  const value = node.attrs?.[name];
  return allowed.find((choice) => choice === value) ?? null;
}

/** The plain text of a node. */
export function plainText(node: ContentNode): string {
  if (node.type === "hardBreak") return " ";
  if (node.type === "inlineMath") return stringAttr(node, "latex") ?? "";
  return typeof node.text === "string" ? node.text : childrenOf(node).map(plainText).join("");
}

/** Whether the document contains a node of one of these types, searched to the maximum depth. */
export function holds(node: ContentNode, types: readonly string[], depth = 0): boolean {
  if (types.includes(node.type)) return true;
  return (
    depth < MAX_DEPTH && childrenOf(node).some((child) => isNode(child) && holds(child, types, depth + 1))
  );
}

/** Number of nodes in a node, including itself. */
export function size(node: ContentNode, depth = 0): number {
  if (depth >= MAX_DEPTH) return 1;
  return childrenOf(node).reduce((sum, child) => sum + (isNode(child) ? size(child, depth + 1) : 1), 1);
}
