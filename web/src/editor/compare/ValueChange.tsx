import { useMemo } from "react";
import { Marked } from "./Merged";
import styles from "./PageDiff.module.css";
import { diffWords } from "./words";

/** A value before and after. */
export function ValueChange({ before, after }: { before: string; after: string }) {
  return (
    <span className={styles.values}>
      <Marked change="removed">{before}</Marked>
      <span aria-hidden="true">→</span>
      <Marked change="added">{after}</Marked>
    </span>
  );
}

/** A line of text before and after, with its changed words marked. */
export function TextChange({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => diffWords(before, after), [before, after]);
  return parts.map(({ kind, text }, at) =>
    kind === "same" ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the texts do not change while they are compared
      <Marked key={at} change={kind}>
        {text}
      </Marked>
    ),
  );
}
