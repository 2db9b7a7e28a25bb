import { useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Checkbox } from "../ui/Checkbox";
import { Select } from "../ui/Select";
import { offerUndo } from "../ui/undo";
import { mayLeave } from "../ui/unsaved";
import type { AnswerEditorProps } from "./AnswerEditor";
import { type ChoiceQuestion, isChoice, switchChoice } from "./model";
import { OptionsEditor } from "./OptionsEditor";
import classes from "./QuestionEditor.module.css";
import { isWeighted, SCORINGS, type Scoring, scoringOf, withScoring, withScoringOf } from "./weights";

/** Edits the options of a choice question, and how the choice is graded. */
export function ChoiceEditor({ question, onChange, onEdit, problemAt }: AnswerEditorProps<ChoiceQuestion>) {
  const { t } = useTranslation();
  const root = useRef<HTMLFieldSetElement>(null);
  const isSingle = question.type === "single_choice";
  const scoring = scoringOf(question);
  const edit = (how: (question: ChoiceQuestion) => ChoiceQuestion) =>
    onEdit((now) => (isChoice(now) ? how(now) : now));
  /** Changes the scoring or the type. What is dropped on the way can be brought back; a weight that cannot be read is asked about. */
  const rescore = async (how: (question: ChoiceQuestion) => ChoiceQuestion) => {
    if (!(await mayLeave(root.current ?? undefined))) return;
    edit(how);
    const dropped = droppedBy(question, how(question));
    if (!dropped) return;
    offerUndo(t(`quizBuilder.scoring.${dropped}`), () =>
      // A scoring that was chosen since is newer.
      edit((now) =>
        isWeighted(now.options) || (dropped === "droppedWhole" && scoringOf(now) !== "parts")
          ? now
          : withScoringOf(now, question),
      ),
    );
  };
  const score = (next: Scoring) => void rescore((now) => withScoring(now, next));
  return (
    <fieldset ref={root} className={classes.group}>
      <legend>{t(isSingle ? "quizBuilder.options.single" : "quizBuilder.options.multiple")}</legend>
      <OptionsEditor
        name={question.id}
        isSingle={isSingle}
        options={question.options}
        onChange={(options) => onChange({ ...question, options })}
        onEdit={(change) => edit((now) => ({ ...now, options: change(now.options) }))}
        problemAt={(at) => problemAt(`options${at}`)}
      />
      <p className={classes.hint}>{t("quizBuilder.options.keys")}</p>
      <Checkbox
        label={t("quizBuilder.options.several")}
        checked={!isSingle}
        onChange={() => void rescore(switchChoice)}
      />
      {isSingle ? (
        <Checkbox
          label={t("quizBuilder.scoring.partial")}
          hint={t("quizBuilder.scoring.partialHint")}
          checked={scoring === "weights"}
          onChange={() => score(scoring === "weights" ? "parts" : "weights")}
        />
      ) : (
        <Select
          className={classes.scoring}
          label={t("quizBuilder.scoring.label")}
          description={t(`quizBuilder.scoring.about.${scoring}`)}
          descriptionBelow
          value={scoring}
          onChange={(event) => score(event.currentTarget.value as Scoring)}
          options={SCORINGS.map((value) => ({ value, label: t(`quizBuilder.scoring.${value}`) }))}
        />
      )}
    </fieldset>
  );
}

/** What a question has lost with its type or its scoring, besides what the author has chosen. */
function droppedBy(before: ChoiceQuestion, after: ChoiceQuestion): "dropped" | "droppedWhole" | null {
  if (isWeighted(before.options)) return isWeighted(after.options) ? null : "dropped";
  return before.all_or_nothing && before.type !== after.type ? "droppedWhole" : null;
}
