import type { ReactNode } from "react";
import { type ContentNode, choiceAttr } from "../model";
import { useRendering } from "../rendering";
import styles from "./Callout.module.css";
import { CALLOUT_ICONS, CALLOUT_KINDS } from "./callouts";

interface CalloutProps {
  node: ContentNode;
  children: ReactNode;
}

export function Callout({ node, children }: CalloutProps) {
  const { t } = useRendering();
  const kind = choiceAttr(node, "kind", CALLOUT_KINDS) ?? "note";
  const title = t(`content.callout.${kind}`);
  return (
    <div role="note" aria-label={title} className={styles.callout} data-kind={kind}>
      <div className={styles.title}>
        <svg viewBox="0 0 24 24" className={styles.icon} aria-hidden="true">
          <path d={CALLOUT_ICONS[kind]} />
        </svg>
        {title}
      </div>
      {children}
    </div>
  );
}
