import type { ReactNode } from "react";
import { type ContentNode, choiceAttr } from "../model";
import { useRendering } from "../rendering";
import styles from "./Callout.module.css";

const KINDS = ["note", "tip", "warning", "danger"] as const;

const ICONS: Record<(typeof KINDS)[number], string> = {
  note: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M12 11v5M12 8v.01",
  tip: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.5.4.6 1 .6 1.7h6c0-.7.1-1.3.6-1.7A6 6 0 0 0 12 3",
  warning: "M12 4 2.8 20h18.4zM12 10v4M12 17v.01",
  danger: "M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM12 8v4M12 16v.01",
};

interface CalloutProps {
  node: ContentNode;
  children: ReactNode;
}

export function Callout({ node, children }: CalloutProps) {
  const { t } = useRendering();
  const kind = choiceAttr(node, "kind", KINDS) ?? "note";
  const title = t(`content.callout.${kind}`);
  return (
    <div role="note" aria-label={title} className={styles.callout} data-kind={kind}>
      <div className={styles.title}>
        <svg viewBox="0 0 24 24" className={styles.icon} aria-hidden="true">
          <path d={ICONS[kind]} />
        </svg>
        {title}
      </div>
      {children}
    </div>
  );
}
