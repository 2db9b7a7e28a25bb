import { useTranslation } from "../i18n/useTranslation";
import { SkeletonBlock } from "./SkeletonBlock";
import classes from "./Skeletons.module.css";

/** The placeholder for loading text. */
export function TextSkeleton({ lines = 4 }: { lines?: number }) {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")} className={classes.text}>
      {numbers(lines).map((line) => (
        <SkeletonBlock
          key={line}
          height="0.875rem"
          width={line === lines - 1 ? "62%" : `${100 - ((line * 7) % 12)}%`}
        />
      ))}
    </div>
  );
}

/** The placeholder for a loading list: rows or cards of the final height. */
export function ListSkeleton({
  rows = 5,
  height,
  columns = "1fr",
}: {
  rows?: number;
  height: string;
  /** The `grid-template-columns` of the list. */
  columns?: string;
}) {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      aria-label={t("common.loading")}
      className={classes.list}
      style={{ gridTemplateColumns: columns }}
    >
      {numbers(rows).map((row) => (
        <SkeletonBlock key={row} height={height} />
      ))}
    </div>
  );
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
