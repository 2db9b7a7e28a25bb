import { pageTitle } from "../course/pageTitle";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./Consequences.module.css";
import { type ConsequenceRow, consequenceRows } from "./consequenceRows";
import type { ConsequencesShownFragment } from "./Publishing.generated";

/** Up to this many learners are shown at once. */
const FEW = 5;

/** The learners affected by a change of the course, with values before and after. Needs the texts `unpublished`. */
export function AffectedLearners({
  learners,
  affected,
}: Pick<ConsequencesShownFragment, "learners" | "affected">) {
  const { t } = useTranslation();
  const more = affected - learners.length;
  const label = t("unpublished.publishing.consequences.label");
  return (
    // Keeps its state until the list becomes long or short.
    <details className={classes.learners} open={affected <= FEW}>
      <summary>{t("unpublished.publishing.consequences.affected", { count: affected })}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keys */}
      <section className={classes.frame} aria-label={label} tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t("unpublished.publishing.consequences.learner")}</th>
              <th scope="col">{t("unpublished.publishing.consequences.what")}</th>
              <th scope="col">{t("unpublished.publishing.consequences.before")}</th>
              <th scope="col">{t("unpublished.publishing.consequences.after")}</th>
            </tr>
          </thead>
          {learners.map((learner) => (
            <tbody key={learner.user.id}>
              {consequenceRows(learner).map((row, index, rows) => (
                <tr key={row.id}>
                  {index === 0 && (
                    <th scope="rowgroup" rowSpan={rows.length}>
                      {learner.user.fullName || learner.user.email}
                    </th>
                  )}
                  <Values row={row} />
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </section>
      {more > 0 && (
        <p className={classes.more}>{t("unpublished.publishing.consequences.more", { count: more })}</p>
      )}
    </details>
  );
}

function Values({ row }: { row: ConsequenceRow }) {
  const { t } = useTranslation();
  const what =
    row.kind === "quiz" ? pageTitle(row.page, t) : t(`unpublished.publishing.consequences.of.${row.kind}`);
  return (
    <>
      <th scope="row" className={classes.what}>
        {what}
      </th>
      {(["before", "after"] as const).map((side) => (
        <td key={side} className={classes[side]}>
          <span className={classes.side}>{t(`unpublished.publishing.consequences.${side}`)}</span>
          {textOf(side)}
        </td>
      ))}
    </>
  );

  function textOf(side: "before" | "after"): string {
    if (row.kind === "quiz") {
      const value = row[side];
      if (!value) return t("unpublished.publishing.consequences.none");
      const { score, maxScore, isPassed } = value;
      const state = t(`unpublished.publishing.consequences.${isPassed ? "passed" : "notPassed"}`);
      return `${t("unpublished.publishing.consequences.score", { score, maxScore })}, ${state}`;
    }
    if (row.kind === "grade") {
      const value = row[side];
      return value === null
        ? t("unpublished.publishing.consequences.none")
        : t("unpublished.publishing.consequences.percent", { value });
    }
    const { percent, isCompleted } = row[side];
    const share = t("unpublished.publishing.consequences.percent", { value: percent });
    return isCompleted === null
      ? share
      : `${share}, ${t(`unpublished.publishing.consequences.${isCompleted ? "passed" : "notPassed"}`)}`;
  }
}
