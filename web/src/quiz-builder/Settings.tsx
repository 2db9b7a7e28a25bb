import { useTranslation } from "../i18n/useTranslation";
import { MAX_ATTEMPTS_MAX } from "../limits.generated";
import { Checkbox } from "../ui/Checkbox";
import { NumberField } from "./AnswerEditor";
import { CheckingField } from "./CheckingField";
import { type AuthorQuiz, hasOpenQuestion, REVEALS } from "./model";
import { ReleaseField } from "./ReleaseField";
import classes from "./Settings.module.css";
import { TimeLimit } from "./TimeLimit";

interface SettingsProps {
  quiz: AuthorQuiz;
  onChange: (quiz: AuthorQuiz) => void;
}

/** The pass mark of a quiz, its limits on attempts and time, and what it reveals afterwards. */
export function Settings({ quiz, onChange }: SettingsProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.settings} aria-labelledby="quiz-settings">
      <h2 id="quiz-settings">{t("quizBuilder.settings.title")}</h2>
      <div className={classes.numbers}>
        <NumberField
          label={t("quizBuilder.settings.passPercent")}
          value={quiz.pass_percent}
          min={0}
          max={100}
          isWhole
          onChange={(value) => value !== null && onChange({ ...quiz, pass_percent: value })}
        />
        <NumberField
          label={t("quizBuilder.settings.maxAttempts")}
          hint={t("quizBuilder.settings.maxAttemptsHint")}
          value={quiz.max_attempts}
          isOptional
          min={1}
          max={MAX_ATTEMPTS_MAX}
          isWhole
          onChange={(max_attempts) => onChange({ ...quiz, max_attempts })}
        />
      </div>
      <TimeLimit quiz={quiz} onChange={onChange} />
      <CheckingField quiz={quiz} onChange={onChange} />
      <fieldset className={classes.reveal}>
        <legend>{t("quizBuilder.settings.reveal")}</legend>
        {REVEALS.map((reveal) => (
          <label key={reveal}>
            <input
              type="radio"
              name="reveal"
              checked={quiz.reveal === reveal}
              onChange={() => onChange({ ...quiz, reveal })}
            />
            {t(`quizBuilder.settings.reveals.${reveal}`)}
          </label>
        ))}
      </fieldset>
      {hasOpenQuestion(quiz) && <ReleaseField quiz={quiz} onChange={onChange} />}
      <Checkbox
        label={t("quizBuilder.settings.shuffleQuestions")}
        checked={quiz.shuffle_questions}
        onChange={(event) => onChange({ ...quiz, shuffle_questions: event.currentTarget.checked })}
      />
      <Checkbox
        label={t("quizBuilder.settings.shuffleOptions")}
        checked={quiz.shuffle_options}
        onChange={(event) => onChange({ ...quiz, shuffle_options: event.currentTarget.checked })}
      />
    </section>
  );
}
