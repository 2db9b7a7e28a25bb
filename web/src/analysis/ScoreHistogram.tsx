import { useTranslation } from "../i18n/useTranslation";
import { rangeOf } from "./analysis";
import classes from "./QuizAnalysis.module.css";

/** The size of the picture in its own units; a bar and its gap take a tenth of the width. */
const WIDTH = 400;
const HEIGHT = 160;
const GAP = 6;

/** How many attempts earned which share of the points, as bars and as a table. */
export function ScoreHistogram({ bars }: { bars: readonly number[] }) {
  const { t } = useTranslation();
  const most = Math.max(1, ...bars);
  const step = WIDTH / bars.length;
  const range = (bar: number) => t("analysis.histogram.range", rangeOf(bar));
  return (
    <figure className={classes.picture} aria-labelledby="histogram">
      <figcaption id="histogram" className={classes.heading}>
        {t("analysis.histogram.title")}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 40}`}
        role="img"
        aria-label={t("analysis.histogram.label", { range: range(bars.indexOf(most)) })}
        className={classes.histogram}
      >
        {bars.map((count, bar) => {
          const height = (count / most) * HEIGHT;
          const middle = (bar + 0.5) * step;
          return (
            <g key={rangeOf(bar).from}>
              <rect
                x={bar * step + GAP / 2}
                y={HEIGHT + 20 - height}
                width={step - GAP}
                height={height}
                rx={3}
              />
              {count > 0 && (
                <text x={middle} y={HEIGHT + 14 - height} className={classes.counted}>
                  {t("analysis.count", { count })}
                </text>
              )}
              <text x={middle} y={HEIGHT + 36}>
                {rangeOf(bar).from}
              </text>
            </g>
          );
        })}
        <line x1={0} x2={WIDTH} y1={HEIGHT + 20} y2={HEIGHT + 20} />
      </svg>
      <details className={classes.details}>
        <summary>{t("analysis.histogram.numbers")}</summary>
        <table className={classes.numbers}>
          <thead>
            <tr>
              <th scope="col">{t("analysis.histogram.share")}</th>
              <th scope="col">{t("analysis.histogram.attempts")}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map((count, bar) => (
              <tr key={rangeOf(bar).from}>
                <th scope="row">{range(bar)}</th>
                <td>{t("analysis.count", { count })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
