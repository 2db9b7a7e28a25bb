import classes from "./ProgressBar.module.css";

export function ProgressBar({ percent, label }: { percent: number; label: string }) {
  return (
    <div
      className={classes.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div className={classes.done} style={{ transform: `scaleX(${percent / 100})` }} />
    </div>
  );
}
