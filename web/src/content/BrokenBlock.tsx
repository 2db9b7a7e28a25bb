import { Component, type ReactNode } from "react";
import styles from "./BrokenBlock.module.css";
import { useRendering } from "./rendering";

interface BrokenBlockProps {
  /** `document` when nothing of the page can be read, else one block or one inline piece of it. */
  what: "document" | "block" | "inline";
  /** The node's own name for itself, which helps an author find it. */
  type?: string;
}

/** Says that something is here and cannot be shown: a reader must know that a piece is missing. */
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

/** Keeps a block that fails from taking the rest of the page with it. */
export class BlockBoundary extends Component<BlockBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <BrokenBlock what="block" type={this.props.type} /> : this.props.children;
  }
}
