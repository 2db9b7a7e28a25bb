import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { CRITERIA_MAX } from "../limits.generated";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { moveItem } from "../ui/sorting/moveItem";
import { Sortable } from "../ui/sorting/Sortable";
import { offerUndo } from "../ui/undo";
import { CriterionBody, CriterionHead } from "./CriterionEditor";
import type { RubricQuestion } from "./model";
import { AddButton, type ProblemAt } from "./parts";
import partClasses from "./parts.module.css";
import { RubricDialog } from "./RubricDialog";
import classes from "./RubricEditor.module.css";
import {
  type AuthorCriterion,
  type AuthorRubric,
  copyOfRubric,
  newCriterion,
  nextCriterion,
  pointsOf,
} from "./rubric";

interface RubricEditorProps {
  /** The page whose course has rubrics to take; null without one. */
  pageId: string | null;
  question: RubricQuestion;
  /** Changes the question as it is at that time. */
  onEdit: (change: (question: RubricQuestion) => RubricQuestion) => void;
  problemAt: ProblemAt;
}

/** Edits the rubric of an open question, adds it, or takes it from another question. The points of the question follow it. */
export function RubricEditor({ pageId, question, onEdit, problemAt }: RubricEditorProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLFieldSetElement>(null);
  const [isTaking, setTaking] = useState(false);
  const { rubric } = question;
  const put = (rubric: AuthorRubric) => onEdit((question) => withRubric(question, rubric));
  const edit = (change: (criteria: AuthorCriterion[]) => AuthorCriterion[]) =>
    onEdit((question) =>
      question.rubric
        ? withRubric(question, { ...question.rubric, criteria: change(question.rubric.criteria) })
        : question,
    );
  /** Focuses the name of a criterion. */
  const focus = (index: number) =>
    root.current?.querySelectorAll<HTMLElement>("[data-criterion-name]")[index]?.focus();
  const begin = () => {
    const names = [
      t("quizBuilder.rubric.full"),
      t("quizBuilder.rubric.partly"),
      t("quizBuilder.rubric.none"),
    ] as const;
    flushSync(() => put({ is_shown: true, criteria: [newCriterion(question.points, names)] }));
    focus(0);
  };
  const removeAll = () => {
    const { rubric } = question;
    flushSync(() => onEdit((question) => ({ ...question, rubric: null })));
    root.current?.querySelector("button")?.focus();
    if (rubric) offerUndo(t("quizBuilder.rubric.removedAll"), () => put(rubric));
  };
  const remove = (criterion: AuthorCriterion, index: number) => {
    flushSync(() => edit((criteria) => criteria.filter(({ id }) => id !== criterion.id)));
    focus(Math.max(index - 1, 0));
    offerUndo(t("quizBuilder.rubric.removed", { number: index + 1 }), () =>
      edit((criteria) => [...criteria.slice(0, index), criterion, ...criteria.slice(index)]),
    );
  };
  if (!rubric)
    return (
      <fieldset ref={root} className={classes.none} aria-label={t("quizBuilder.rubric.legend")}>
        <AddButton onClick={begin}>{t("quizBuilder.rubric.begin")}</AddButton>
        {pageId !== null && (
          <button type="button" className={classes.take} onClick={() => setTaking(true)}>
            {t("quizBuilder.rubric.take.open")}
          </button>
        )}
        {isTaking && pageId !== null && (
          <RubricDialog
            pageId={pageId}
            onClose={() => setTaking(false)}
            onTake={(taken) => {
              setTaking(false);
              put(copyOfRubric(taken, taken.isShown));
            }}
          />
        )}
      </fieldset>
    );
  const { criteria } = rubric;
  const nameOf = ({ name }: AuthorCriterion, index: number) =>
    name || t("quiz.rubric.criterion", { number: index + 1 });
  const propsOf = (criterion: AuthorCriterion, index: number) => ({
    criterion,
    number: index + 1,
    onChange: (changed: AuthorCriterion) =>
      edit((criteria) => criteria.map((one) => (one.id === changed.id ? changed : one))),
    problemAt: (at: string) => problemAt(`rubric.criteria[${index}].${at}`),
  });
  const add = () => {
    const last = criteria.at(-1);
    const names = ["", "", ""] as const;
    flushSync(() =>
      edit((criteria) => [...criteria, last ? nextCriterion(last) : newCriterion(question.points, names)]),
    );
    focus(criteria.length);
  };
  return (
    <fieldset ref={root} className={classes.rubric}>
      <legend>{t("quizBuilder.rubric.legend")}</legend>
      <p className={classes.hint}>{t("quizBuilder.rubric.hint")}</p>
      <Sortable
        items={criteria}
        idOf={({ id }) => id}
        nameOf={nameOf}
        label={t("quizBuilder.rubric.legend")}
        className={classes.criteria}
        onMove={(from, to) => edit((criteria) => [...moveItem(criteria, from, to)])}
        below={(criterion, index) => (
          <CriterionBody
            {...propsOf(criterion, index)}
            onEdit={(change) =>
              edit((criteria) => criteria.map((one) => (one.id === criterion.id ? change(one) : one)))
            }
          />
        )}
      >
        {(criterion, index) => (
          <CriterionHead {...propsOf(criterion, index)} onRemove={() => remove(criterion, index)} />
        )}
      </Sortable>
      {problemAt("rubric.criteria") && <p className={partClasses.problem}>{problemAt("rubric.criteria")}</p>}
      <AddButton disabled={criteria.length >= CRITERIA_MAX} onClick={add}>
        {t("quizBuilder.rubric.add")}
      </AddButton>
      <Checkbox
        label={t("quizBuilder.rubric.shown")}
        hint={t("quizBuilder.rubric.shownHint")}
        checked={rubric.is_shown}
        onChange={(event) => put({ ...rubric, is_shown: event.currentTarget.checked })}
      />
      <Button variant="subtle" size="compact" className={classes.removeAll} onClick={removeAll}>
        {t("quizBuilder.rubric.removeAll")}
      </Button>
    </fieldset>
  );
}

const withRubric = (question: RubricQuestion, rubric: AuthorRubric): RubricQuestion => ({
  ...question,
  rubric,
  points: pointsOf(rubric),
});
