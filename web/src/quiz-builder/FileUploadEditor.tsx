import { useTranslation } from "../i18n/useTranslation";
import { MAX_FILES_MAX } from "../limits.generated";
import { NumberField } from "./AnswerEditor";
import { FileKindsField } from "./FileKindsField";
import { GuideField } from "./GuideField";
import type { FileUploadQuestion } from "./model";
import type { ProblemAt } from "./parts";
import classes from "./QuestionEditor.module.css";

interface FileUploadEditorProps {
  question: FileUploadQuestion;
  onChange: (question: FileUploadQuestion) => void;
  problemAt: ProblemAt;
}

/** Edits how many files an answer takes, their kinds, and the note for graders. */
export function FileUploadEditor({ question, onChange, problemAt }: FileUploadEditorProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.group}>
      <legend>{t("quizBuilder.files.legend")}</legend>
      <p className={classes.hint}>{t("quizBuilder.files.hint")}</p>
      <div className={classes.points}>
        <NumberField
          label={t("quizBuilder.files.maxFiles")}
          value={question.max_files}
          isWhole
          min={1}
          max={MAX_FILES_MAX}
          problem={problemAt("max_files")}
          onChange={(value) => value !== null && onChange({ ...question, max_files: value })}
        />
      </div>
      <FileKindsField
        extensions={question.extensions}
        onChange={(extensions) => onChange({ ...question, extensions })}
        problem={problemAt("extensions")}
      />
      <GuideField
        guide={question.guide}
        onChange={(guide) => onChange({ ...question, guide })}
        problemAt={problemAt}
      />
    </fieldset>
  );
}
