import type { ReactNode } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { decimal, duration, percent, type Question } from "./analysis";
import classes from "./QuizAnalysis.module.css";

/** What was answered to a question, and its other figures. */
export function AnswersOf({ question }: { question: Question }) {
  const { t, i18n } = useTranslation();
  const { medianSeconds, timedCount: count } = question;
  const time = duration(medianSeconds, t, i18n.language);
  const { asked, unanswered, options, parts, wrongAnswers } = question;
  const part = parts.some(({ text }) => text) ? "pair" : "blank";
  return (
    <>
      <dl className={classes.more}>
        <div className={classes.onlySmall}>
          <dt>{t("analysis.questions.efficiency")}</dt>
          <dd>{percent(question.efficiency, t)}</dd>
        </div>
        <div>
          <dt>{t("analysis.questions.medianSeconds")}</dt>
          <dd>{medianSeconds === null ? time : t("analysis.questions.timed", { time, count })}</dd>
        </div>
        <div>
          <dt>{t("analysis.questions.chance")}</dt>
          <dd>{percent(question.chance, t)}</dd>
        </div>
        <div>
          <dt>{t("analysis.questions.deviation")}</dt>
          <dd>{decimal(question.deviation, t)}</dd>
        </div>
        <div>
          <dt>{t("analysis.answers.unanswered")}</dt>
          <dd>{t("analysis.count", { count: unanswered })}</dd>
        </div>
      </dl>
      {options.length > 0 && (
        <Counts
          heading={t("analysis.answers.options")}
          of={asked}
          rows={options.map(({ optionId, text, isCorrect, taken }, index) => ({
            id: optionId,
            name: (
              <>
                {text || t("analysis.answers.option", { number: index + 1 })}
                {isCorrect && " "}
                {isCorrect && <span className={classes.correct}>{t("analysis.answers.correct")}</span>}
              </>
            ),
            count: taken,
            isCorrect,
          }))}
        />
      )}
      {parts.length > 0 && (
        <Counts
          heading={t("analysis.answers.parts")}
          of={asked}
          rows={parts.map(({ partId, text, right }, index) => ({
            id: partId,
            name: text || t(`analysis.answers.${part}`, { number: index + 1 }),
            count: right,
            isCorrect: true,
          }))}
        />
      )}
      {wrongAnswers.length > 0 && (
        <Counts
          heading={t("analysis.answers.wrong")}
          of={asked}
          rows={wrongAnswers.map(({ text, times }) => ({
            id: text,
            name: text,
            count: times,
            isCorrect: false,
          }))}
        />
      )}
    </>
  );
}

interface CountsProps {
  heading: string;
  /** The attempts that the counts are a part of. */
  of: number;
  rows: { id: string; name: ReactNode; count: number; isCorrect: boolean }[];
}

function Counts({ heading, of, rows }: CountsProps) {
  const { t } = useTranslation();
  const share = (count: number) => (of > 0 ? Math.round((count * 100) / of) : 0);
  return (
    <>
      <h4 className={classes.countsHeading}>{heading}</h4>
      <ul className={classes.counts}>
        {rows.map(({ id, name, count, isCorrect }) => (
          <li key={id}>
            <span className={classes.answer}>{name}</span>
            <span className={classes.taken}>
              {t("analysis.answers.taken", { count, percent: share(count) })}
            </span>
            <span className={classes.bar} aria-hidden="true">
              <span
                className={isCorrect ? classes.right : undefined}
                style={{ inlineSize: `${share(count)}%` }}
              />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
