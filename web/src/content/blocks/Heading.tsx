import styles from "../Document.module.css";
import { Inline } from "../Inline";
import { type ContentNode, childrenOf, plainText } from "../model";
import { useRendering } from "../rendering";

const TAGS = ["h1", "h2", "h3", "h4", "h5"] as const;

export function Heading({ node }: { node: ContentNode }) {
  const { t, anchors, headingShift } = useRendering();
  const level = typeof node.attrs?.level === "number" ? node.attrs.level : 2;
  const Tag = TAGS[level - 1 + headingShift] ?? "h5";
  const anchor = anchors.get(node);
  return (
    <Tag id={anchor} className={styles.heading} data-level={level}>
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
