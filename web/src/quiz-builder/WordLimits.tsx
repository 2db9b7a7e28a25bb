import { useTranslation } from "../i18n/useTranslation";
import { MAX_WORDS_MAX } from "../limits.generated";
import { NumberField } from "./AnswerEditor";
import type { EssayQuestion } from "./model";
import type { ProblemAt } from "./parts";
import classes from "./QuestionEditor.module.css";

type Limits = Pick<EssayQuestion, "min_words" | "max_words">;

interface WordLimitsProps extends Limits {
  onChange: (limits: Limits) => void;
  problemAt: ProblemAt;
}

/** Edits how many words a text must and may have. */
export function WordLimits({ min_words, max_words, onChange, problemAt }: WordLimitsProps) {
  const { t } = useTranslation();
  return (
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
        onChange={(value) => onChange({ min_words: value, max_words })}
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
        onChange={(value) => onChange({ min_words, max_words: value })}
      />
    </div>
  );
}
