import { type ReactNode, useMemo, useState } from "react";
import { Document } from "../../content/Document";
import type { ContentNode } from "../../content/model";
import { PlacesContext } from "../../content/places";
import { useTranslation } from "../../i18n/useTranslation";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import type { OneSided, TextChange } from "./merged";
import styles from "./PageDiff.module.css";

/** Blocks of a merged document: changed text is marked, and named for screen readers. */
export function Merged({ blocks }: { blocks: ContentNode[] }) {
  const content = useMemo(() => ({ type: "doc", content: blocks }), [blocks]);
  return (
    <PlacesContext value={drawChange}>
      <div className={styles.merged}>
        <Document content={content} atOnce />
      </div>
    </PlacesContext>
  );
}

function drawChange(attrs: Readonly<Record<string, unknown>>, children: ReactNode): ReactNode {
  const change = attrs as unknown as TextChange;
  if (change.at === "added" || change.at === "removed") return <Marked change={change.at}>{children}</Marked>;
  if (change.at === "restyled") return <Restyled>{children}</Restyled>;
  if (change.at === "label") return <NestedLabel change={change.change} of={change.of} />;
  if ("lines" in change) return <FoldedLines count={change.lines}>{children}</FoldedLines>;
  return children;
}

/** Text that only one side has. */
export function Marked({ change, children }: { change: OneSided; children: ReactNode }) {
  const { t } = useTranslation();
  const Tag = change === "added" ? "ins" : "del";
  return (
    <>
      <Tag className={styles[change]}>
        <VisuallyHidden>{`${t(`compare.marks.${change}`)} `}</VisuallyHidden>
        {children}
      </Tag>
      <VisuallyHidden>{` (${t("compare.marks.end")}) `}</VisuallyHidden>
    </>
  );
}

function Restyled({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <span className={styles.restyled}>
      <VisuallyHidden>{`${t("compare.marks.restyled")} `}</VisuallyHidden>
      {children}
    </span>
  );
}

const NAMED = ["image", "video", "audio", "embed", "attachment", "blockMath", "horizontalRule"] as const;

/** Says about the block after it that only one side has it. */
function NestedLabel({ change, of }: { change: OneSided; of: string }) {
  const { t } = useTranslation();
  const name = NAMED.find((one) => one === of) ?? "other";
  return (
    <span className={styles.nested} data-kind={change}>
      {t(`compare.nested.${change}`, { what: t(`compare.blocks.${name}`) })}
    </span>
  );
}

function FoldedLines({ count, children }: { count: number; children: ReactNode }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (open) return children;
  return (
    <button type="button" className={styles.foldedLines} onClick={() => setOpen(true)}>
      {t("compare.lines", { count })}
    </button>
  );
}
