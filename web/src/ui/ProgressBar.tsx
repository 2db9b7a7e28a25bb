import classes from "./ProgressBar.module.css";

/** The percentage, or null for an indeterminate bar. */
export function ProgressBar({ percent, label }: { percent: number | null; label: string }) {
  return (
    <div
      className={classes.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
    >
      {percent === null ? (
        <div className={classes.unknown} />
      ) : (
        <div className={classes.done} style={{ transform: `scaleX(${percent / 100})` }} />
      )}
    </div>
  );
}
