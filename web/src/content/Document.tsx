import { memo, useDeferredValue, useMemo } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Block } from "./Blocks";
import { BlockBoundary, BrokenBlock } from "./BrokenBlock";
import styles from "./Document.module.css";
import { placeHeadings } from "./headings";
import { type ContentNode, childrenOf, isNode, size } from "./model";
import { RenderingContext } from "./rendering";

interface DocumentProps {
  /** The page's content from the server. Content that is not a document is shown as broken, never as an empty page. */
  content: unknown;
  /** Render everything at once, because the page opens at a position that may be far down. */
  atOnce?: boolean;
}

/** Number of nodes that fill the first screen of any size. */
const FIRST_NODES = 60;

/** Renders a page's content for reading, without any code of the editor. */
export const Document = memo(function Document({ content, atOnce = false }: DocumentProps) {
  const { t } = useTranslation();
  const document = readDocument(content);
  const rendering = useMemo(
    () => ({ t, headings: document ? placeHeadings(document) : new Map() }),
    [document, t],
  );

  // A long page renders its first screen first and the rest right after it, because rendering all of it delays the page.
  const blocks = document ? childrenOf(document) : [];
  const shown = useDeferredValue(Number.POSITIVE_INFINITY, atOnce ? undefined : firstScreen(blocks));
  const isPartial = shown < blocks.length;

  return (
    <RenderingContext value={rendering}>
      <div
        className={isPartial ? `${styles.document} ${styles.partial}` : styles.document}
        aria-busy={isPartial || undefined}
      >
        {document ? (
          blocks.slice(0, shown).map((node, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stored document rarely changes while it is read
            <BlockBoundary key={index} type={node?.type}>
              <Block node={node} depth={1} />
            </BlockBoundary>
          ))
        ) : (
          <BrokenBlock what="document" />
        )}
      </div>
    </RenderingContext>
  );
});

/** Number of blocks on the first screen. */
function firstScreen(blocks: ContentNode[]): number {
  let left = FIRST_NODES;
  const after = blocks.findIndex((block) => {
    left -= isNode(block) ? size(block) : 1;
    return left <= 0;
  });
  return after === -1 ? blocks.length : after + 1;
}

function readDocument(content: unknown): ContentNode | null {
  return isNode(content) && content.type === "doc" && childrenOf(content).length > 0 ? content : null;
}
