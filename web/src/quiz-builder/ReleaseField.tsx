import { useTranslation } from "../i18n/useTranslation";
import { type AuthorQuiz, RELEASES } from "./model";
import classes from "./Settings.module.css";

interface ReleaseFieldProps {
  quiz: AuthorQuiz;
  onChange: (quiz: AuthorQuiz) => void;
}

/** Chooses when learners see the points that people give. */
export function ReleaseField({ quiz, onChange }: ReleaseFieldProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.reveal}>
      <legend>{t("quizBuilder.settings.release")}</legend>
      {RELEASES.map((release) => (
        <label key={release}>
          <input
            type="radio"
            name="release"
            checked={quiz.release === release}
            onChange={() => onChange({ ...quiz, release })}
          />
          {t(`quizBuilder.settings.releases.${release}`)}
        </label>
      ))}
    </fieldset>
  );
}
