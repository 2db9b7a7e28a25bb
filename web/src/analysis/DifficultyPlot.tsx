import { useTranslation } from "../i18n/useTranslation";
import { decimal, drawNumbers, nameOf, percent, type Question } from "./analysis";
import { ToQuestion } from "./QuestionLink";
import classes from "./QuizAnalysis.module.css";

/** The shown values of the axes. */
const FACILITIES = [0, 0.25, 0.5, 0.75, 1];
const DISCRIMINATIONS = [1, 0.5, 0, -0.5, -1];

/** A measured question with its place in the plot. */
interface Point {
  question: Question;
  /** From the left and from the bottom, in percent. */
  x: number;
  y: number;
}

/** The questions by facility and discrimination, each a link to the question. */
export function DifficultyPlot({ questions }: { questions: readonly Question[] }) {
  const { t } = useTranslation();
  const points = questions.flatMap((question): Point[] => {
    const { facility, discrimination } = question;
    if (facility === null || discrimination === null) return [];
    return [{ question, x: facility * 100, y: (discrimination + 1) * 50 }];
  });
  const draws = drawNumbers(questions);
  return (
    <section className={classes.picture} aria-labelledby="plot">
      <h3 id="plot" className={classes.heading}>
        {t("analysis.plot.title")}
      </h3>
      <p className={classes.dim}>{t(points.length > 0 ? "analysis.plot.about" : "analysis.plot.none")}</p>
      {points.length > 0 && (
        <div className={classes.plot}>
          <div className={classes.up} aria-hidden="true">
            {DISCRIMINATIONS.map((value) => (
              <span key={value}>{decimal(value, t)}</span>
            ))}
          </div>
          <div className={classes.field}>
            <div className={classes.grid} aria-hidden="true">
              {DISCRIMINATIONS.map((value) => (
                <span key={value} data-zero={value === 0 || undefined} />
              ))}
            </div>
            <ul aria-label={t("analysis.plot.label")}>
              {points.map(({ question, x, y }) => (
                <li key={question.questionId} style={{ insetInlineStart: `${x}%`, insetBlockEnd: `${y}%` }}>
                  <ToQuestion
                    number={question.number}
                    label={
                      draws.has(question.number)
                        ? `${nameOf(question, t)}. ${labelOf(question, t)}`
                        : labelOf(question, t)
                    }
                    className={question.flags.length > 0 ? classes.flaggedPoint : classes.point}
                  >
                    {question.number}
                  </ToQuestion>
                </li>
              ))}
            </ul>
          </div>
          <div className={classes.along} aria-hidden="true">
            {FACILITIES.map((value) => (
              <span key={value}>{percent(value, t)}</span>
            ))}
          </div>
        </div>
      )}
    </section>
  );
}

function labelOf(question: Question, t: ReturnType<typeof useTranslation>["t"]): string {
  const { number, facility, discrimination, flags } = question;
  const point = t("analysis.plot.point", {
    number,
    facility: percent(facility, t),
    discrimination: decimal(discrimination, t),
  });
  return flags.length > 0 ? t("analysis.plot.flagged", { point }) : point;
}
