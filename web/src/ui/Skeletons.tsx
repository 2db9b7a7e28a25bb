import { useTranslation } from "react-i18next";
import { Bone } from "./Bone";
import classes from "./Skeletons.module.css";

/** Lines of a text that is on its way. */
export function TextSkeleton({ lines = 4 }: { lines?: number }) {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")} className={classes.text}>
      {numbers(lines).map((line) => (
        <Bone
          key={line}
          height="0.875rem"
          width={line === lines - 1 ? "62%" : `${100 - ((line * 7) % 12)}%`}
        />
      ))}
    </div>
  );
}

/** Rows or cards of a list that is on its way, each of the height it will have. */
export function ListSkeleton({
  rows = 5,
  height,
  columns = "1fr",
}: {
  rows?: number;
  height: string;
  /** `grid-template-columns` of the list it stands for. */
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
        <Bone key={row} height={height} />
      ))}
    </div>
  );
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
