import { useState } from "react";
import { Document } from "../../content/Document";
import type { ContentNode } from "../../content/model";
import { useTranslation } from "../../i18n/useTranslation";
import styles from "./Parts.module.css";

/** For each part of merged texts, which of the conflicts it is, from 1: so that each has a name of its own. */
export function conflictNumbers(parts: readonly { kind: string }[]): number[] {
  let count = 0;
  return parts.map(({ kind }) => {
    if (kind === "both") count += 1;
    return count;
  });
}

interface PartProps {
  blocks: ContentNode[];
  heading: string;
  /** Which of the conflicts it is. */
  number: number | undefined;
}

/** The blocks of one text where the texts differ. */
export function Part({ blocks, heading, number = 1 }: PartProps) {
  const { t } = useTranslation();
  return (
    <section
      className={styles.part}
      data-empty={blocks.length === 0 || undefined}
      aria-label={number > 1 ? `${heading}, ${number}` : heading}
    >
      <p className={styles.whose} aria-hidden="true">
        {heading}
      </p>
      {blocks.length > 0 ? (
        <Document content={{ type: "doc", content: blocks }} atOnce />
      ) : (
        <p className={styles.about}>{t("editor.compare.nothing")}</p>
      )}
    </section>
  );
}

/** Blocks that need no attention; a long run is collapsed. */
export function Same({ blocks }: { blocks: ContentNode[] }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(blocks.length <= 2);
  if (open) return <Document content={{ type: "doc", content: blocks }} atOnce />;
  return (
    <button type="button" className={styles.same} onClick={() => setOpen(true)}>
      {t("editor.compare.unchanged", { count: blocks.length })}
    </button>
  );
}
