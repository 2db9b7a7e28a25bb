import { useTranslation } from "../i18n/useTranslation";
import classes from "./RubricView.module.css";
import type { MarkResult, Rubric } from "./rubric";

/** How answers to a question are graded, for learners: the rubric below a line that hides it. */
export function HowGraded({ rubric }: { rubric: Rubric }) {
  const { t } = useTranslation();
  return (
    <details className={classes.how} open>
      <summary>{t("quiz.rubric.how")}</summary>
      <RubricView rubric={rubric} />
    </details>
  );
}

/** A rubric for reading: each criterion with its levels, side by side where there is room. */
export function RubricView({ rubric }: { rubric: Rubric }) {
  const { t } = useTranslation();
  return (
    <div className={classes.box}>
      {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so */}
      <ul role="list" className={classes.criteria} aria-label={t("quiz.rubric.criteria")}>
        {rubric.criteria.map(({ id, name, description, maxPoints, levels }, index) => (
          <li key={id} className={classes.criterion}>
            <div className={classes.about}>
              <p className={classes.name}>{name || t("quiz.rubric.criterion", { number: index + 1 })}</p>
              <p className={classes.most}>{t("quiz.rubric.upTo", { count: maxPoints })}</p>
              {description && <p className={classes.description}>{description}</p>}
            </div>
            {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
            <ul role="list" className={classes.levels} aria-label={t("quiz.rubric.levels")}>
              {levels.map((level) => (
                <li key={level.id}>
                  <p className={classes.levelHead}>
                    <span className={classes.points}>{t("quiz.points", { count: level.points })}</span>
                    {level.name && <span className={classes.name}>{level.name}</span>}
                  </p>
                  {level.description && <p className={classes.description}>{level.description}</p>}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The marks of a released result: the chosen level of each criterion, its points, and the grader's comment. */
export function MarksView({ marks }: { marks: readonly MarkResult[] }) {
  const { t } = useTranslation();
  return (
    <section className={classes.marks}>
      <h4>{t("quiz.rubric.marks")}</h4>
      {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is none to Safari unless told so */}
      <ul role="list" className={classes.criteria}>
        {marks.map(({ criterion, level, description, points, maxPoints, comment }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the marks of a result never change their order
          <li key={index} className={classes.mark}>
            <p className={classes.markHead}>
              <span className={classes.name}>
                {criterion || t("quiz.rubric.criterion", { number: index + 1 })}
              </span>
              <span className={classes.points}>{t("quiz.pointsOf", { points, count: maxPoints })}</span>
            </p>
            {(level || description) && (
              <p className={classes.description}>
                {level && <span className={classes.level}>{level}</span>}
                {level && description && " — "}
                {description}
              </p>
            )}
            {comment && <p className={classes.comment}>{comment}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
