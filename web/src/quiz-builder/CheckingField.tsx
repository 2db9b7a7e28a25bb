import { useId } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { type AuthorQuiz, CHECKINGS } from "./model";
import classes from "./Settings.module.css";

interface CheckingFieldProps {
  quiz: AuthorQuiz;
  onChange: (quiz: AuthorQuiz) => void;
}

/** The choice when answers are checked, with a hint about what a check shows. */
export function CheckingField({ quiz, onChange }: CheckingFieldProps) {
  const { t } = useTranslation();
  const hintId = useId();
  const isEach = quiz.checking === "each_question";
  return (
    <fieldset className={classes.reveal} aria-describedby={isEach ? hintId : undefined}>
      <legend>{t("quizBuilder.settings.checking")}</legend>
      {CHECKINGS.map((checking) => (
        <label key={checking}>
          <input
            type="radio"
            name="checking"
            checked={quiz.checking === checking}
            onChange={() => onChange({ ...quiz, checking })}
          />
          {t(`quizBuilder.settings.checkings.${checking}`)}
        </label>
      ))}
      {isEach && (
        <p id={hintId} className={classes.hint}>
          {t(`quizBuilder.settings.checkingShows.${quiz.reveal}`)}
        </p>
      )}
    </fieldset>
  );
}
