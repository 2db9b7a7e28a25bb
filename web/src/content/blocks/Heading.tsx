import styles from "../Document.module.css";
import { headingLevel } from "../headings";
import { Inline } from "../Inline";
import { type ContentNode, childrenOf, plainText } from "../model";
import { useRendering } from "../rendering";

const TAGS = { 2: "h2", 3: "h3", 4: "h4", 5: "h5" } as const;

export function Heading({ node }: { node: ContentNode }) {
  const { t, headings } = useRendering();
  const { anchor, rank } = headings.get(node) ?? { anchor: null, rank: 2 };
  const Tag = TAGS[rank as keyof typeof TAGS];
  return (
    <Tag id={anchor ?? undefined} className={styles.heading} data-level={headingLevel(node)}>
      <Inline nodes={childrenOf(node)} />
      {anchor && (
        <a
          href={`#${encodeURIComponent(anchor)}`}
          className={styles.headingLink}
          aria-label={t("content.linkToHeading", { heading: plainText(node) })}
        >
          #
        </a>
      )}
    </Tag>
  );
}
