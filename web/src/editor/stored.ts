import type { Node, Schema } from "@tiptap/pm/model";
import type { ContentMark, ContentNode } from "../content/model";

/**
 * The document as it is stored: what the server fills in by itself is left out, so that a page which was only opened is, to the
 * letter, the page that was stored.
 */
export function toStored(node: Node): ContentNode {
  // Nodes never change, and a letter makes anew only those around it: the next save works out just these.
  const known = madeBefore.get(node);
  if (known) return known;
  const made = storedOf(node);
  madeBefore.set(node, made);
  return made;
}

const madeBefore = new WeakMap<Node, ContentNode>();

function storedOf(node: Node): ContentNode {
  const stored: ContentNode = { type: node.type.name };
  const attrs = withoutDefaults(node.attrs, node.type.spec.attrs);
  if (attrs) stored.attrs = attrs;
  if (node.childCount > 0) stored.content = node.children.map(toStored);
  if (node.isText) stored.text = node.text ?? "";
  if (node.marks.length > 0) {
    stored.marks = node.marks.map((mark) => {
      const kept: ContentMark = { type: mark.type.name };
      const attrs = withoutDefaults(mark.attrs, mark.type.spec.attrs);
      if (attrs) kept.attrs = attrs;
      return kept;
    });
  }
  return stored;
}

/** What is said even when it is what the editor takes by default: the server knows no default for it, or the import says it too. */
const ALWAYS_SAID = new Set([
  "level",
  "src",
  "latex",
  "provider",
  "id",
  "filename",
  "size",
  "contentType",
  "href",
  "open",
  "checked",
  "kind",
]);

function withoutDefaults(
  attrs: Record<string, unknown>,
  spec: Record<string, { default?: unknown }> | null | undefined,
): Record<string, unknown> | null {
  const kept = Object.entries(attrs).filter(
    ([name, value]) => ALWAYS_SAID.has(name) || value !== spec?.[name]?.default,
  );
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

/** The document for the editor; null for one the editor cannot hold without losing something of it. */
export function fromStored(schema: Schema, content: unknown): Node | null {
  try {
    const node = schema.nodeFromJSON(content);
    node.check();
    return node.type === schema.topNodeType && keepsEverything(content as ContentNode, toStored(node))
      ? node
      : null;
  } catch {
    return null;
  }
}

/** ProseMirror passes over attributes it does not know; a page that has one was written by a newer program. */
function keepsEverything(given: ContentNode, read: ContentNode): boolean {
  return sameContent(given, read);
}

/** Whether two stored documents say the same. Marks are a set, text may be cut anywhere, and a default may be said or not. */
export function sameContent(a: ContentNode, b: ContentNode): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
}

/** Defaults that the server lets a document leave out. */
const DEFAULTS: Record<string, Record<string, unknown>> = {
  orderedList: { start: 1, type: null },
  taskItem: { checked: false },
  codeBlock: { language: null, caption: null },
  tableHeader: { colspan: 1, rowspan: 1, colwidth: null, align: null },
  tableCell: { colspan: 1, rowspan: 1, colwidth: null, align: null },
  image: { alt: null, caption: null, width: null, naturalWidth: null, naturalHeight: null },
  video: { caption: null, naturalWidth: null, naturalHeight: null },
  audio: { caption: null },
  embed: { caption: null },
  callout: { kind: "note" },
  details: { open: false },
  link: { target: null, rel: null, class: null, title: null },
};

interface Canonical {
  type: string;
  attrs: [string, unknown][];
  marks: { type: string; attrs: [string, unknown][] }[];
  text?: string;
  content: Canonical[];
}

export function canonical(node: ContentNode): Canonical {
  const content: Canonical[] = [];
  for (const child of node.content ?? []) {
    const next = canonical(child);
    const last = content.at(-1);
    if (
      next.type === "text" &&
      last?.type === "text" &&
      JSON.stringify(last.marks) === JSON.stringify(next.marks)
    ) {
      last.text = `${last.text}${next.text}`;
    } else content.push(next);
  }
  return {
    type: node.type,
    attrs: attrsOf(node),
    marks: (node.marks ?? [])
      .map((mark) => ({ type: mark.type, attrs: attrsOf(mark) }))
      .sort((a, b) => (a.type < b.type ? -1 : 1)),
    ...(node.text !== undefined && { text: node.text }),
    content,
  };
}

function attrsOf({ type, attrs }: ContentMark): [string, unknown][] {
  const defaults = DEFAULTS[type] ?? {};
  return Object.entries(attrs ?? {})
    .filter(([name, value]) => !(name in defaults && defaults[name] === value))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
