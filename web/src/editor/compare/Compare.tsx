import { useMemo, useState } from "react";
import { Document } from "../../content/Document";
import type { ContentNode } from "../../content/model";
import { useTranslation } from "../../i18n/useTranslation";
import styles from "./Compare.module.css";
import { diffBlocks } from "./diffBlocks";

interface Side {
  heading: string;
  /** The text's editor and time. */
  about: string;
  title: string | null;
  content: unknown;
}

/** Two texts of one page side by side; long runs of equal blocks are collapsed. */
export function Compare({ mine, theirs }: { mine: Side; theirs: Side }) {
  const { t } = useTranslation();
  const runs = useMemo(() => diffBlocks(mine.content, theirs.content), [mine.content, theirs.content]);
  const isOtherTitle = mine.title !== theirs.title;
  const numbers = changeNumbers(runs);
  return (
    <div className={styles.compare}>
      <div className={styles.heads}>
        {[mine, theirs].map((side) => (
          <div key={side.heading} className={styles.head}>
            <h3 className={styles.heading}>{side.heading}</h3>
            <p className={styles.about}>{side.about}</p>
            <p className={styles.title} data-changed={isOtherTitle || undefined}>
              {side.title ?? t("editor.untitled")}
            </p>
          </div>
        ))}
      </div>
      {runs.map((run, index) =>
        run.kind === "same" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the texts do not change while they are compared
          <Same key={index} blocks={run.mine} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the texts do not change while they are compared
          <div key={index} className={styles.pair}>
            <Part blocks={run.mine} heading={mine.heading} number={numbers[index]} />
            <Part blocks={run.theirs} heading={theirs.heading} number={numbers[index]} />
          </div>
        ),
      )}
      {runs.every((run) => run.kind === "same") && !isOtherTitle && (
        <p className={styles.about}>{t("editor.compare.same")}</p>
      )}
    </div>
  );
}

/** For each part of compared texts, which of the differences it is, from 1: so that each has a name of its own. */
export function changeNumbers(parts: readonly { kind: string }[]): number[] {
  let count = 0;
  return parts.map(({ kind }) => {
    if (kind === "changed" || kind === "both") count += 1;
    return count;
  });
}

interface PartProps {
  blocks: ContentNode[];
  heading: string;
  /** Which of the differences it is. */
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
