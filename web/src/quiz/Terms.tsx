import { useTranslation } from "../i18n/useTranslation";
import { Best } from "./Best";
import type { QuizPageState } from "./model";
import classes from "./QuizPart.module.css";
import { QuizTimes } from "./QuizTimes";
import { durationText } from "./timed/durationText";
import type { Mode } from "./useTaking";

/** The rules of the quiz: the time for an attempt, the points to pass, the attempts left. */
export function Terms({ page, mode }: { page: QuizPageState; mode: Mode }) {
  const { t } = useTranslation();
  const { quiz, attemptsLeft, bestPercent } = page;
  if (!quiz) return null;
  const { questionCount, timeLimitSeconds, passPercent } = quiz;
  return (
    <p className={classes.terms}>
      <span>{t("quiz.questions", { count: questionCount })}</span>
      {timeLimitSeconds !== null && (
        <span>
          {t(mode === "take" ? "quiz.timed.limit" : "quiz.timed.forLearners", {
            time: durationText(timeLimitSeconds, t),
          })}
        </span>
      )}
      {passPercent > 0 && <span>{t("quiz.toPass", { percent: passPercent })}</span>}
      {mode !== "try" && attemptsLeft !== null && (
        <span>{t("quiz.attemptsLeft", { count: attemptsLeft })}</span>
      )}
      {mode !== "try" && bestPercent !== null && <Best percent={bestPercent} attempts={page.attempts} />}
      <QuizTimes page={page} mode={mode} />
    </p>
  );
}
