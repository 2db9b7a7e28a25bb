import { Component, type ReactNode } from "react";
import styles from "./BrokenBlock.module.css";
import { useRendering } from "./rendering";

interface BrokenBlockProps {
  /** What cannot be shown: the whole `document`, one block, or one inline node. */
  what: "document" | "block" | "inline";
  /** The node's type, which helps an author find it. */
  type?: string;
}

/** Shows that a part of the page is missing because it cannot be displayed. */
export function BrokenBlock({ what, type }: BrokenBlockProps) {
  const { t } = useRendering();
  const text = what === "document" ? t("content.brokenDocument") : t("content.brokenBlock");
  const detail = type ? <code className={styles.type}>{type.slice(0, 40)}</code> : null;
  if (what === "inline") {
    return (
      <span role="note" className={styles.inline}>
        {text} {detail}
      </span>
    );
  }
  return (
    <div role="note" className={styles.block}>
      {text} {detail}
    </div>
  );
}

interface BlockBoundaryProps {
  type?: string;
  children: ReactNode;
}

/** Error boundary around one block, so that its failure does not affect the rest of the page. */
export class BlockBoundary extends Component<BlockBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <BrokenBlock what="block" type={this.props.type} /> : this.props.children;
  }
}
