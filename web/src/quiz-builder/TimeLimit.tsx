import { useTranslation } from "../i18n/useTranslation";
import { NumberField } from "./AnswerEditor";
import { type AuthorQuiz, MAX_GRACE_SECONDS, MAX_LIMIT_MINUTES } from "./model";
import classes from "./Settings.module.css";

interface TimeLimitProps {
  quiz: AuthorQuiz;
  onChange: (quiz: AuthorQuiz) => void;
}

/** The time for an attempt, and how long answers may take to arrive after it. */
export function TimeLimit({ quiz, onChange }: TimeLimitProps) {
  const { t } = useTranslation();
  const { time_limit_seconds: limit, grace_seconds } = quiz;
  return (
    <div className={classes.numbers}>
      <NumberField
        label={t("quizBuilder.settings.timeLimit")}
        hint={t("quizBuilder.settings.timeLimitHint")}
        value={limit === null ? null : minutesOf(limit)}
        isOptional
        min={1}
        max={MAX_LIMIT_MINUTES}
        onChange={(minutes) =>
          onChange({ ...quiz, time_limit_seconds: minutes === null ? null : Math.round(minutes * 60) })
        }
      />
      {limit !== null && (
        <NumberField
          label={t("quizBuilder.settings.grace")}
          hint={t("quizBuilder.settings.graceHint")}
          value={grace_seconds}
          min={0}
          max={MAX_GRACE_SECONDS}
          isWhole
          onChange={(value) => value !== null && onChange({ ...quiz, grace_seconds: value })}
        />
      )}
    </div>
  );
}

/** The API takes any number of seconds; only their display is rounded. */
function minutesOf(seconds: number): number {
  return Math.round((seconds / 60) * 100) / 100;
}
