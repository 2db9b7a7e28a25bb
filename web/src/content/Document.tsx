import { memo, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Block } from "./Blocks";
import { BlockBoundary, BrokenBlock } from "./BrokenBlock";
import styles from "./Document.module.css";
import { placeHeadings } from "./headings";
import { type ContentNode, childrenOf, isNode } from "./model";
import { RenderingContext } from "./rendering";

interface DocumentProps {
  /** The page's content as the server sent it. Anything that is not a document is shown as such, never as an empty page. */
  content: unknown;
}

/** A page's content for reading. Nothing of the editor is loaded for it. */
export const Document = memo(function Document({ content }: DocumentProps) {
  const { t } = useTranslation();
  const document = readDocument(content);
  const rendering = useMemo(
    () => ({ t, headings: document ? placeHeadings(document) : new Map() }),
    [document, t],
  );

  return (
    <RenderingContext value={rendering}>
      <div className={styles.document}>
        {document ? (
          childrenOf(document).map((node, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stored document does not change its order while it is read
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

function readDocument(content: unknown): ContentNode | null {
  return isNode(content) && content.type === "doc" && childrenOf(content).length > 0 ? content : null;
}
