import { useState } from "react";
import { Document } from "../../content/Document";
import type { ContentNode } from "../../content/model";
import { useTranslation } from "../../i18n/useTranslation";
import styles from "./Parts.module.css";

/** The blocks of one text where the texts differ. */
export function Part({ blocks, heading }: { blocks: ContentNode[]; heading: string }) {
  const { t } = useTranslation();
  return (
    <section className={styles.part} data-empty={blocks.length === 0 || undefined} aria-label={heading}>
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
