import { useTranslation } from "../i18n/useTranslation";
import { GuideField } from "./GuideField";
import type { EssayQuestion } from "./model";
import type { ProblemAt } from "./parts";
import classes from "./QuestionEditor.module.css";
import { WordLimits } from "./WordLimits";

interface EssayEditorProps {
  question: EssayQuestion;
  onChange: (question: EssayQuestion) => void;
  problemAt: ProblemAt;
}

/** Edits the word limits of an essay and the note for graders. */
export function EssayEditor({ question, onChange, problemAt }: EssayEditorProps) {
  const { t } = useTranslation();
  const { min_words, max_words, guide } = question;
  return (
    <fieldset className={classes.group}>
      <legend>{t("quizBuilder.essay.legend")}</legend>
      <p className={classes.hint}>{t("quizBuilder.essay.hint")}</p>
      <WordLimits
        min_words={min_words}
        max_words={max_words}
        onChange={(limits) => onChange({ ...question, ...limits })}
        problemAt={problemAt}
      />
      <GuideField
        guide={guide}
        onChange={(changed) => onChange({ ...question, guide: changed })}
        problemAt={problemAt}
      />
    </fieldset>
  );
}
