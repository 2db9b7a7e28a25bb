import { useId, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { IconChevron } from "../ui/icons";
import { IconWarning } from "../ui/laterIcons";
import { AnswersOf } from "./AnswersOf";
import {
  COLUMNS,
  decimal,
  drawNumbers,
  duration,
  nameOf,
  type Order,
  percent,
  pressed,
  type Question,
  sorted,
} from "./analysis";
import { ToQuestion } from "./QuestionLink";
import classes from "./QuizAnalysis.module.css";

const EXPLAINED = ["facility", "discrimination", "efficiency", "medianSeconds", "chance"] as const;

/** The questions of the quiz with their figures, what looks wrong, and their answers on demand. */
export function QuestionsTable({ questions }: { questions: readonly Question[] }) {
  const { t } = useTranslation();
  const draws = drawNumbers(questions);
  const [order, setOrder] = useState<Order>({ column: "question", isDescending: false });
  return (
    <section aria-labelledby="questions">
      <h3 id="questions" className={classes.heading}>
        {t("analysis.questions.title")}
      </h3>
      <details className={classes.details}>
        <summary>{t("analysis.questions.explain")}</summary>
        <dl className={classes.terms}>
          {EXPLAINED.map((term) => (
            <div key={term}>
              <dt>{t(`analysis.questions.${term}`)}</dt>
              <dd>{t(`analysis.questions.${term}Text`)}</dd>
            </div>
          ))}
        </dl>
      </details>
      <table className={classes.table} aria-labelledby="questions">
        <thead>
          <tr>
            {COLUMNS.map((column) => {
              const isSorted = order.column === column;
              return (
                <th
                  key={column}
                  scope="col"
                  className={classes[column]}
                  aria-sort={isSorted ? (order.isDescending ? "descending" : "ascending") : undefined}
                >
                  <button
                    type="button"
                    className={classes.sort}
                    onClick={() => setOrder(pressed(order, column))}
                  >
                    {t(`analysis.questions.${column}`)}
                    {isSorted && (
                      <IconChevron
                        size={14}
                        className={order.isDescending ? classes.down : classes.ascending}
                      />
                    )}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        {sorted(questions, order).map((question) => (
          <QuestionRow key={question.questionId} question={question} isDrawn={draws.has(question.number)} />
        ))}
      </table>
    </section>
  );
}

function QuestionRow({ question, isDrawn }: { question: Question; isDrawn: boolean }) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { number, flags } = question;
  return (
    <tbody className={classes.row}>
      <tr>
        <th scope="row" className={classes.question}>
          <ToQuestion number={number} className={classes.prompt}>
            <span className={classes.number}>{number}.</span> {nameOf(question, t)}
          </ToQuestion>
          {isDrawn && (
            <p className={classes.drawn}>{t("analysis.questions.drawn", { count: question.asked })}</p>
          )}
          {flags.length > 0 && (
            <ul className={classes.flags}>
              {flags.map((flag) => (
                <li key={flag}>
                  <IconWarning size={16} />
                  {t(`analysis.flags.${flag}`)}
                </li>
              ))}
            </ul>
          )}
          <Button
            variant="subtle"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-label={
              isDrawn
                ? t("analysis.questions.answersOfDrawn", { number, question: nameOf(question, t) })
                : t("analysis.questions.answersOf", { number })
            }
            onClick={() => setOpen(!isOpen)}
          >
            {t("analysis.questions.answers")}
            <IconChevron size={14} className={isOpen ? classes.ascending : classes.down} />
          </Button>
        </th>
        <td className={classes.facility}>{percent(question.facility, t)}</td>
        <td className={classes.discrimination}>{decimal(question.discrimination, t)}</td>
        <td className={classes.efficiency}>{percent(question.efficiency, t)}</td>
        <td className={classes.medianSeconds}>{duration(question.medianSeconds, t, i18n.language)}</td>
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={COLUMNS.length} className={classes.answers}>
            <AnswersOf question={question} />
          </td>
        </tr>
      )}
    </tbody>
  );
}
