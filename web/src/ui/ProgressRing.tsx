import classes from "./ProgressRing.module.css";

const R = 15;
const LENGTH = 2 * Math.PI * R;

/** The progress in a course as a ring. `label` is its text alternative. */
export function ProgressRing({
  percent,
  label,
  size = 36,
}: {
  percent: number;
  label: string;
  size?: number;
}) {
  return (
    <svg
      className={classes.ring}
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox="0 0 36 36"
    >
      <circle className={classes.track} cx="18" cy="18" r={R} />
      <circle
        className={classes.done}
        cx="18"
        cy="18"
        r={R}
        strokeDasharray={LENGTH}
        strokeDashoffset={LENGTH * (1 - percent / 100)}
        data-empty={percent === 0 || undefined}
      />
      {percent === 100 && <path className={classes.check} d="m12.5 18.5 4 4 7.5-8.5" />}
    </svg>
  );
}
