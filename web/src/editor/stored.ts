import type { Node, Schema } from "@tiptap/pm/model";
import type { ContentMark, ContentNode } from "../content/model";

/**
 * The stored form of a document. Attributes that the server fills in are left out, so that a page that was only opened serialises to
 * the JSON that was stored.
 */
export function toStored(node: Node): ContentNode {
  // Nodes are immutable and a key press replaces only those around it, so the next save serialises just these.
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

/** Attributes that are stored even with their default value, because the server has no default for them or imports store them too. */
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

/** Parses stored content for the editor; null when the editor would lose part of it. */
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

/** ProseMirror ignores unknown attributes; a page that has one comes from a newer version of the app. */
function keepsEverything(given: ContentNode, read: ContentNode): boolean {
  return sameContent(given, read);
}

/** Whether two stored documents are equivalent: marks are unordered, text may be split anywhere, and defaults may be left out. */
export function sameContent(a: ContentNode, b: ContentNode): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
}

/** Defaults that a document may leave out. */
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
