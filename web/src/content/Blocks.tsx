import { memo } from "react";
import { BrokenBlock } from "./BrokenBlock";
import { Attachment } from "./blocks/Attachment";
import { Callout } from "./blocks/Callout";
import { CodeBlock } from "./blocks/CodeBlock";
import { Embed } from "./blocks/Embed";
import { Heading } from "./blocks/Heading";
import { Image } from "./blocks/Image";
import { BlockMath } from "./blocks/Math";
import { Audio, Video } from "./blocks/Media";
import { Table, TableCell } from "./blocks/Table";
import { TaskItem } from "./blocks/TaskItem";
import styles from "./Document.module.css";
import { Inline } from "./Inline";
import { type ContentNode, childrenOf, choiceAttr, flagAttr, isNode, MAX_DEPTH } from "./model";

const NUMBERINGS = ["1", "a", "A", "i", "I"] as const;

interface BlockProps {
  node: ContentNode;
  depth: number;
}

/** One block with its content. The cases are the table of blocks in docs/content-model.md. */
export const Block = memo(function Block({ node, depth }: BlockProps) {
  if (!isNode(node) || depth > MAX_DEPTH) return <BrokenBlock what="block" />;
  const inner = <Blocks nodes={childrenOf(node)} depth={depth + 1} />;
  switch (node.type) {
    case "paragraph":
      return (
        <p>
          <Inline nodes={childrenOf(node)} />
        </p>
      );
    case "heading":
      return <Heading node={node} />;
    case "bulletList":
      return <ul>{inner}</ul>;
    case "orderedList":
      return (
        <ol start={startOf(node)} type={choiceAttr(node, "type", NUMBERINGS) ?? undefined}>
          {inner}
        </ol>
      );
    case "listItem":
      return <li>{inner}</li>;
    case "taskList":
      return <ul className={styles.tasks}>{inner}</ul>;
    case "taskItem":
      return <TaskItem checked={flagAttr(node, "checked")}>{inner}</TaskItem>;
    case "blockquote":
      return <blockquote>{inner}</blockquote>;
    case "codeBlock":
      return <CodeBlock node={node} />;
    case "table":
      return <Table node={node} renderRows={(rows) => <Blocks nodes={rows} depth={depth + 1} />} />;
    case "tableRow":
      return <tr>{inner}</tr>;
    case "tableHeader":
    case "tableCell":
      return <TableCell node={node}>{inner}</TableCell>;
    case "image":
      return <Image node={node} />;
    case "video":
      return <Video node={node} />;
    case "audio":
      return <Audio node={node} />;
    case "embed":
      return <Embed node={node} />;
    case "attachment":
      return <Attachment node={node} />;
    case "callout":
      return <Callout node={node}>{inner}</Callout>;
    case "details":
      return (
        <details className={styles.details} open={flagAttr(node, "open")}>
          {inner}
        </details>
      );
    case "detailsSummary":
      return (
        <summary>
          <Inline nodes={childrenOf(node)} />
        </summary>
      );
    case "detailsContent":
      return <div className={styles.detailsContent}>{inner}</div>;
    case "blockMath":
      return <BlockMath node={node} />;
    case "horizontalRule":
      return <hr />;
    default:
      return <BrokenBlock what="block" type={node.type} />;
  }
});

interface BlocksProps {
  nodes: ContentNode[];
  depth: number;
}

function Blocks({ nodes, depth }: BlocksProps) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a stored document does not change its order while it is read
  return nodes.map((node, index) => <Block key={index} node={node} depth={depth} />);
}

function startOf(list: ContentNode): number | undefined {
  const start = list.attrs?.start;
  return typeof start === "number" && Number.isInteger(start) && start !== 1 ? start : undefined;
}
