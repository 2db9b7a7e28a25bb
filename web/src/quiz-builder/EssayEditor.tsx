import { useTranslation } from "../i18n/useTranslation";
import { MAX_WORDS_MAX } from "../limits.generated";
import { NumberField } from "./AnswerEditor";
import { GuideField } from "./GuideField";
import type { EssayQuestion } from "./model";
import type { ProblemAt } from "./parts";
import classes from "./QuestionEditor.module.css";

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
      <div className={classes.numbers}>
        <NumberField
          label={t("quizBuilder.essay.minWords")}
          hint={t("quizBuilder.essay.noBound")}
          value={min_words}
          isOptional
          isWhole
          min={0}
          max={max_words ?? MAX_WORDS_MAX}
          problem={problemAt("min_words")}
          onChange={(value) => onChange({ ...question, min_words: value })}
        />
        <NumberField
          label={t("quizBuilder.essay.maxWords")}
          hint={t("quizBuilder.essay.noBound")}
          value={max_words}
          isOptional
          isWhole
          min={min_words ?? 0}
          max={MAX_WORDS_MAX}
          problem={problemAt("max_words")}
          onChange={(value) => onChange({ ...question, max_words: value })}
        />
      </div>
      <GuideField
        guide={guide}
        onChange={(changed) => onChange({ ...question, guide: changed })}
        problemAt={problemAt}
      />
    </fieldset>
  );
}
