import { Node } from "@tiptap/core";
import { Blockquote } from "@tiptap/extension-blockquote";
import { CodeBlock as TiptapCodeBlock } from "@tiptap/extension-code-block";
import { Document } from "@tiptap/extension-document";
import { HardBreak } from "@tiptap/extension-hard-break";
import { Heading as TiptapHeading } from "@tiptap/extension-heading";
import { HorizontalRule } from "@tiptap/extension-horizontal-rule";
import {
  BulletList,
  TaskList,
  ListItem as TiptapListItem,
  OrderedList as TiptapOrderedList,
  TaskItem as TiptapTaskItem,
} from "@tiptap/extension-list";
import { Paragraph } from "@tiptap/extension-paragraph";
import { Table, TableCell, TableHeader, TableRow as TiptapTableRow } from "@tiptap/extension-table";
import { Text } from "@tiptap/extension-text";
import { EMBED_PROVIDERS, embedAddresses, readFileSrc } from "../../content/addresses";
import { CALLOUT_KINDS } from "../../content/blocks/callouts";
import documentStyles from "../../content/Document.module.css";
import { carried, flag, oneOf, text, whole } from "./attributes";

/**
 * The nodes of docs/content-model.md as TipTap extensions: what each node may contain, and its form in the clipboard. Their appearance
 * in the editor is in `views/`.
 */

const NUMBERINGS = ["1", "a", "A", "i", "I"] as const;

/** Priority of parse rules for `data-type`, above the rules for the plain elements that other programs see. */
const OURS = 60;
const MAX_CAPTION = 1000;
const pixels = whole(1, 1_000_000);
const caption = carried("caption", null, text(MAX_CAPTION));
const naturalWidth = carried("naturalWidth", null, pixels);
const naturalHeight = carried("naturalHeight", null, pixels);
/** The block's file. Parse rules require an uploaded file. */
const src = {
  default: "",
  parseHTML: (element: HTMLElement) => readFileSrc(element.getAttribute("data-src")) ?? "",
  renderHTML: (attributes: Record<string, unknown>) => ({ "data-src": String(attributes.src) }),
};
const latex = carried("latex", "", text(10_000));

/** Parse rule for an element copied from this editor; it matches only with the address of an uploaded file. */
function fileRule(type: string) {
  return {
    tag: `[data-type="${type}"]`,
    priority: OURS,
    getAttrs: (element: HTMLElement) => (readFileSrc(element.getAttribute("data-src")) ? null : false),
  };
}

const Heading = TiptapHeading.extend({
  renderHTML({ node }) {
    const level = Number(node.attrs.level);
    return [`h${level}`, { class: documentStyles.heading, "data-level": level }, 0];
  },
}).configure({ levels: [1, 2, 3, 4] });

/** Content is `block+`: an item may start with code or an image. */
const ListItem = TiptapListItem.extend({ content: "block+" });
const TaskItem = TiptapTaskItem.extend({ content: "block+" }).configure({ nested: true });
const OrderedList = TiptapOrderedList.extend({
  addAttributes() {
    const parent = this.parent?.() ?? {};
    return {
      ...parent,
      start: { ...parent.start, parseHTML: (list) => whole(0, 1e9)(list.getAttribute("start") ?? "") ?? 1 },
      type: { ...parent.type, parseHTML: (list) => oneOf(NUMBERINGS)(list.getAttribute("type") ?? "") },
    };
  },
});

const CodeBlock = TiptapCodeBlock.extend({
  // behaviour/keys.ts handles Enter, which keeps the indentation.
  addAttributes() {
    const parent = this.parent?.() ?? {};
    return {
      ...parent,
      language: {
        ...parent.language,
        parseHTML: (pre) => {
          const names = [...(pre.querySelector("code") ?? pre).classList, ...pre.classList];
          const name = names.find((one) => /^lang(uage)?-/.test(one))?.replace(/^lang(uage)?-/, "");
          return name ? text(40)(name) : null;
        },
      },
      caption: carried("caption", null, text(255)),
    };
  },
}).configure({ enableTabIndentation: true });

const TableRow = TiptapTableRow.extend({ content: "(tableCell | tableHeader)+" });

const Image = Node.create({
  name: "image",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => ({
    src,
    alt: carried("alt", null, text(1000)),
    caption,
    width: carried("width", null, whole(16, 4000)),
    naturalWidth,
    naturalHeight,
  }),
  parseHTML: () => [fileRule("image")],
  renderHTML: ({ node, HTMLAttributes }) => [
    "figure",
    { ...HTMLAttributes, "data-type": "image" },
    ["img", { src: node.attrs.src, alt: node.attrs.alt ?? "" }],
  ],
});

const Video = Node.create({
  name: "video",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => ({ src, caption, naturalWidth, naturalHeight }),
  parseHTML: () => [fileRule("video")],
  renderHTML: ({ node, HTMLAttributes }) => [
    "figure",
    { ...HTMLAttributes, "data-type": "video" },
    ["video", { src: node.attrs.src, controls: "" }],
  ],
});

const Audio = Node.create({
  name: "audio",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => ({ src, caption }),
  parseHTML: () => [fileRule("audio")],
  renderHTML: ({ node, HTMLAttributes }) => [
    "figure",
    { ...HTMLAttributes, "data-type": "audio" },
    ["audio", { src: node.attrs.src, controls: "" }],
  ],
});

const Attachment = Node.create({
  name: "attachment",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => ({
    src,
    filename: carried("filename", "", text(255)),
    size: carried("size", 0, whole(0, Number.MAX_SAFE_INTEGER)),
    contentType: carried("contentType", "application/octet-stream", text(127)),
  }),
  parseHTML: () => [fileRule("attachment")],
  renderHTML: ({ node, HTMLAttributes }) => [
    "p",
    { ...HTMLAttributes, "data-type": "attachment" },
    ["a", { href: node.attrs.src }, node.attrs.filename],
  ],
});

const Embed = Node.create({
  name: "embed",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => ({
    provider: carried("provider", "youtube", oneOf(EMBED_PROVIDERS)),
    id: carried("id", "", text(64)),
    caption,
  }),
  parseHTML: () => [
    {
      tag: '[data-type="embed"]',
      priority: OURS,
      getAttrs: (element) => {
        const provider = EMBED_PROVIDERS.find((one) => one === element.getAttribute("data-provider"));
        return provider && embedAddresses(provider, element.getAttribute("data-id") ?? "") ? null : false;
      },
    },
  ],
  renderHTML: ({ node, HTMLAttributes }) => {
    const page = embedAddresses(node.attrs.provider, node.attrs.id)?.page ?? "";
    return ["p", { ...HTMLAttributes, "data-type": "embed" }, ["a", { href: page }, page]];
  },
});

const Callout = Node.create({
  name: "callout",
  group: "block",
  content: "block+",
  defining: true,
  addAttributes: () => ({ kind: carried("kind", "note", oneOf(CALLOUT_KINDS)) }),
  parseHTML: () => [{ tag: '[data-type="callout"]', priority: OURS }],
  renderHTML: ({ HTMLAttributes }) => ["div", { ...HTMLAttributes, "data-type": "callout" }, 0],
});

const Details = Node.create({
  name: "details",
  group: "block",
  content: "detailsSummary detailsContent",
  defining: true,
  isolating: true,
  addAttributes: () => ({ open: carried("open", false, flag) }),
  parseHTML: () => [{ tag: '[data-type="details"]', priority: OURS }],
  renderHTML: ({ HTMLAttributes }) => ["div", { ...HTMLAttributes, "data-type": "details" }, 0],
});

const DetailsSummary = Node.create({
  name: "detailsSummary",
  content: "inline*",
  defining: true,
  isolating: true,
  selectable: false,
  parseHTML: () => [{ tag: '[data-type="detailsSummary"]', priority: OURS }],
  renderHTML: () => ["div", { "data-type": "detailsSummary" }, 0],
});

const DetailsContent = Node.create({
  name: "detailsContent",
  content: "block+",
  defining: true,
  selectable: false,
  parseHTML: () => [{ tag: '[data-type="detailsContent"]', priority: OURS }],
  renderHTML: () => ["div", { "data-type": "detailsContent", class: documentStyles.detailsContent }, 0],
});

const BlockMath = Node.create({
  name: "blockMath",
  group: "block",
  atom: true,
  addAttributes: () => ({ latex }),
  parseHTML: () => [{ tag: '[data-type="blockMath"]', priority: OURS }],
  renderHTML: ({ node, HTMLAttributes }) => [
    "p",
    { ...HTMLAttributes, "data-type": "blockMath" },
    `$$${node.attrs.latex}$$`,
  ],
});

const InlineMath = Node.create({
  name: "inlineMath",
  group: "inline",
  inline: true,
  atom: true,
  addAttributes: () => ({ latex }),
  parseHTML: () => [{ tag: '[data-type="inlineMath"]', priority: OURS }],
  renderHTML: ({ node, HTMLAttributes }) => [
    "span",
    { ...HTMLAttributes, "data-type": "inlineMath" },
    `$${node.attrs.latex}$`,
  ],
});

export const nodes = {
  Document,
  Paragraph,
  Text,
  HardBreak,
  Heading,
  BulletList,
  OrderedList,
  ListItem,
  TaskList,
  TaskItem,
  Blockquote,
  CodeBlock,
  Table,
  TableRow,
  TableHeader,
  TableCell,
  Image,
  Video,
  Audio,
  Attachment,
  Embed,
  Callout,
  Details,
  DetailsSummary,
  DetailsContent,
  BlockMath,
  InlineMath,
  HorizontalRule,
};
