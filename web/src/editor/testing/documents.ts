import fc from "fast-check";
import type { ContentMark, ContentNode } from "../../content/model";

/** Generators of random documents of the whole content model: everything the server accepts, and nothing else. */

const PAGE = "0190a6b2-3f4c-7d5e-8a9b-0c1d2e3f4a5b";
const FILE = `/files/${"0a".repeat(16)}/%D1%84.png`;

const words = fc.oneof(
  fc.constantFrom("текст", "a b", "Ёлка №5", "— да", "x", "1. ", "\t", "👩‍💻", "$x$", "**"),
  fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" }).filter((text) => !/[\0\r]/.test(text)),
);
const caption = fc.option(words, { nil: null });
const pixels = fc.option(fc.integer({ min: 1, max: 4000 }), { nil: null });

const href = fc.constantFrom(
  "https://example.com/a?b#c",
  "http://a.b",
  "mailto:a@example.com",
  `page:${PAGE}`,
  `page:${PAGE}#итоги`,
  "#итоги",
  FILE,
);

const plainMarks = ["bold", "italic", "underline", "strike", "code", "highlight", "subscript", "superscript"];
const marks: fc.Arbitrary<ContentMark[]> = fc
  .tuple(fc.subarray(plainMarks, { maxLength: 3 }), fc.option(href, { nil: null, freq: 3 }))
  .map(([names, to]) => [
    ...names.map((type) => ({ type })),
    ...(to ? [{ type: "link", attrs: { href: to } }] : []),
  ]);

const inlineNode: fc.Arbitrary<ContentNode> = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: words.map((text): ContentNode => ({ type: "text", text })) },
      { weight: 1, arbitrary: fc.constant<ContentNode>({ type: "hardBreak" }) },
      {
        weight: 1,
        arbitrary: words.map((latex): ContentNode => ({ type: "inlineMath", attrs: { latex } })),
      },
    ),
    marks,
  )
  .map(([node, marks]) => (marks.length > 0 ? { ...node, marks } : node));
const inline = fc.array(inlineNode, { maxLength: 4 });

const withContent = (type: string, content: ContentNode[], attrs?: ContentNode["attrs"]): ContentNode => ({
  type,
  ...(attrs && { attrs }),
  ...(content.length > 0 && { content }),
});

const leafs: fc.Arbitrary<ContentNode>[] = [
  fc.constant<ContentNode>({ type: "horizontalRule" }),
  words.map((latex) => ({ type: "blockMath", attrs: { latex } })),
  fc
    .record({
      alt: caption,
      caption,
      width: fc.option(fc.integer({ min: 16, max: 4000 }), { nil: null }),
      naturalWidth: pixels,
      naturalHeight: pixels,
    })
    .map((attrs) => ({ type: "image", attrs: { src: FILE, ...attrs } })),
  fc
    .record({ caption, naturalWidth: pixels, naturalHeight: pixels })
    .map((attrs) => ({ type: "video", attrs: { src: FILE, ...attrs } })),
  caption.map((caption) => ({ type: "audio", attrs: { src: FILE, caption } })),
  fc
    .constantFrom(["youtube", "dQw4w9WgXcQ"], ["vk", "-1_2"], ["rutube", "abc"], ["vimeo", "1"])
    .chain(([provider, id]) =>
      caption.map((caption) => ({ type: "embed", attrs: { provider, id, caption } })),
    ),
  fc.record({ filename: words, size: fc.nat() }).map((attrs) => ({
    type: "attachment",
    attrs: { src: FILE, ...attrs, contentType: "application/pdf" },
  })),
];
const lines: fc.Arbitrary<ContentNode>[] = [
  inline.map((content) => withContent("paragraph", content)),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), inline)
    .map(([level, content]) => withContent("heading", content, { level })),
  fc
    .tuple(caption, fc.constantFrom(null, "rust", "C++"), fc.option(words, { nil: null }))
    .map(([caption, language, text]) =>
      withContent("codeBlock", text ? [{ type: "text", text }] : [], { language, caption }),
    ),
];

const cell = (blocks: fc.Arbitrary<ContentNode[]>) =>
  fc
    .tuple(
      fc.constantFrom("tableCell", "tableHeader"),
      blocks,
      fc.constantFrom("left", "center", "right", null),
    )
    .map(([type, content, align]) => withContent(type, content, { align }));

/** A block with at most `depth` levels of blocks below it. */
function block(depth: number): fc.Arbitrary<ContentNode> {
  if (depth === 0) return fc.oneof(...lines, ...leafs);
  const blocks = fc.array(block(depth - 1), { minLength: 1, maxLength: 3 });
  const list = (type: string, item: fc.Arbitrary<ContentNode>, attrs?: fc.Arbitrary<ContentNode["attrs"]>) =>
    fc
      .tuple(fc.array(item, { minLength: 1, maxLength: 3 }), attrs ?? fc.constant(undefined))
      .map(([content, attrs]) => withContent(type, content, attrs));
  const listItem = blocks.map((content) => withContent("listItem", content));
  return fc.oneof(
    ...lines,
    ...leafs,
    list("bulletList", listItem),
    list(
      "orderedList",
      listItem,
      fc.record({ start: fc.nat({ max: 1e9 }), type: fc.constantFrom("1", "a", "A", "i", "I", null) }),
    ),
    list(
      "taskList",
      fc
        .tuple(blocks, fc.boolean())
        .map(([content, checked]) => withContent("taskItem", content, { checked })),
    ),
    blocks.map((content) => withContent("blockquote", content)),
    fc
      .tuple(fc.constantFrom("note", "tip", "warning", "danger"), blocks)
      .map(([kind, content]) => withContent("callout", content, { kind })),
    fc
      .tuple(inline, blocks, fc.boolean())
      .map(([summary, content, open]) =>
        withContent(
          "details",
          [withContent("detailsSummary", summary), withContent("detailsContent", content)],
          { open },
        ),
      ),
    fc.integer({ min: 1, max: 3 }).chain((columns) =>
      fc
        .array(fc.array(cell(blocks), { minLength: columns, maxLength: columns }), {
          minLength: 1,
          maxLength: 3,
        })
        .map((rows) =>
          withContent(
            "table",
            rows.map((cells) => withContent("tableRow", cells)),
          ),
        ),
    ),
  );
}

export const documents: fc.Arbitrary<ContentNode> = fc
  .array(block(2), { minLength: 1, maxLength: 5 })
  .map((content) => withContent("doc", content));
