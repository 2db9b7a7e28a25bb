import { Fragment, type ReactNode } from "react";
import { Blank } from "./Blank";
import { BrokenBlock } from "./BrokenBlock";
import { InlineMath } from "./blocks/Math";
import { ContentLink } from "./ContentLink";
import { type ContentMark, type ContentNode, isNode } from "./model";
import { Place } from "./Place";
import { PLACE } from "./places";

/**
 * Marks from the outermost to the innermost. Places come first, because a place may have a button, which no link can contain. Then links,
 * so that a link whose text is partly bold is one link for the keyboard and for screen readers; code comes last, so that marks around it
 * do not split its background.
 */
const MARK_ORDER = [
  PLACE,
  "link",
  "bold",
  "italic",
  "underline",
  "strike",
  "highlight",
  "subscript",
  "superscript",
  "code",
];

interface Piece {
  node: ContentNode;
  /** Marks to render around the node, outermost first. */
  marks: ContentMark[];
}

/** Text, hard breaks and inline math with their marks; adjacent nodes with the same mark share one element. */
export function Inline({ nodes }: { nodes: ContentNode[] }) {
  return renderPieces(nodes.map((node) => ({ node, marks: isNode(node) ? orderedMarks(node) : [] })));
}

function orderedMarks(node: ContentNode): ContentMark[] {
  if (!Array.isArray(node.marks)) return [];
  return [...node.marks].sort((a, b) => MARK_ORDER.indexOf(a.type) - MARK_ORDER.indexOf(b.type));
}

function renderPieces(pieces: Piece[]): ReactNode {
  const rendered: ReactNode[] = [];
  for (let start = 0; start < pieces.length; ) {
    const piece = pieces[start] as Piece;
    const mark = piece.marks[0];
    let end = start + 1;
    if (mark) while (end < pieces.length && sameMark(pieces[end]?.marks[0], mark)) end += 1;
    const inside = mark
      ? renderPieces(pieces.slice(start, end).map(({ node, marks }) => ({ node, marks: marks.slice(1) })))
      : renderLeaf(piece.node);
    rendered.push(<Fragment key={start}>{mark ? withMark(mark, inside) : inside}</Fragment>);
    start = end;
  }
  return rendered;
}

function sameMark(a: ContentMark | undefined, b: ContentMark): boolean {
  return a?.type === b.type && a.attrs?.href === b.attrs?.href && a.attrs?.at === b.attrs?.at;
}

function renderLeaf(node: ContentNode): ReactNode {
  if (!isNode(node)) return <BrokenBlock what="inline" />;
  switch (node.type) {
    case "text":
      return node.text;
    case "hardBreak":
      return <br />;
    case "inlineMath":
      return <InlineMath node={node} />;
    case "blank":
      return <Blank node={node} />;
    default:
      return <BrokenBlock what="inline" type={node.type} />;
  }
}

function withMark(mark: ContentMark, inside: ReactNode): ReactNode {
  switch (mark.type) {
    case PLACE:
      return <Place mark={mark}>{inside}</Place>;
    case "link":
      return <ContentLink href={mark.attrs?.href}>{inside}</ContentLink>;
    case "bold":
      return <strong>{inside}</strong>;
    case "italic":
      return <em>{inside}</em>;
    case "underline":
      return <u>{inside}</u>;
    case "strike":
      return <s>{inside}</s>;
    case "highlight":
      return <mark>{inside}</mark>;
    case "subscript":
      return <sub>{inside}</sub>;
    case "superscript":
      return <sup>{inside}</sup>;
    case "code":
      return <code>{inside}</code>;
    default:
      // An unknown mark is ignored; its text is shown.
      return inside;
  }
}
