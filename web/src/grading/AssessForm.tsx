import { useRef } from "react";
import { createPortal, flushSync } from "react-dom";
import { countCharacters } from "../forms/rules";
import { useTranslation } from "../i18n/useTranslation";
import { ANSWER_ASSESS_COMMENT_MAX } from "../limits.generated";
import { numberText } from "../quiz-builder/numbers";
import { Button } from "../ui/Button";
import { IconReturn } from "../ui/laterIcons";
import { TextArea } from "../ui/TextArea";
import { TextField } from "../ui/TextField";
import classes from "./AnswerPanel.module.css";
import { ConflictAlert } from "./ConflictAlert";
import { MarksForm } from "./MarksForm";
import { chosenSum, isMarking } from "./marks";
import { type OpenAnswer, parsePoints } from "./queue";
import type { Assessment } from "./useAssessment";

interface Props {
  answer: OpenAnswer;
  name: string;
  assessment: Assessment;
  /** Whether saving assigns the next answer. */
  hasNext: boolean;
  /** Whether the answer can be returned to its learner for revision. */
  mayReturn: boolean;
  /** The element into which the fields are rendered. */
  side: HTMLElement | null;
}

/** The marks, the points and the comment for an answer. Ctrl+Enter stores them and opens the next answer. */
export function AssessForm({ answer, name, assessment, hasNext, mayReturn, side }: Props) {
  const { t } = useTranslation();
  const points = useRef<HTMLInputElement | null>(null);
  const { form, rubric, values, comments, conflict, submit, reuse } = assessment;
  const sum = chosenSum(rubric, values.choices);
  const { isReturning, setReturning } = assessment;
  const field = form.field("points", (typed: string) => {
    if (isReturning) return null;
    if (sum.isComplete) return null;
    if (isMarking(values.choices)) return "grading.rubric.incomplete";
    return parsePoints(typed, answer.maxPoints) === null ? "grading.pointsRequired" : null;
  });
  /** Asks for the comment that an answer is returned with. */
  const beginReturn = () => {
    flushSync(() => {
      setReturning(true);
      form.clearErrors();
    });
    side?.querySelector<HTMLElement>("textarea")?.focus();
  };
  const endReturn = () => {
    flushSync(() => {
      setReturning(false);
      form.clearErrors();
    });
    side?.querySelector<HTMLElement>("[data-return]")?.focus();
  };
  const fields = (
    <form
      {...form.props}
      className={classes.form}
      aria-label={t("grading.form", { name })}
      onKeyDown={(event) => {
        if (isReturning && event.key === "Escape") {
          event.preventDefault();
          endReturn();
          return;
        }
        if (assessment.onSaveKey(event) || event.nativeEvent.isComposing) return;
        const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
        const comment = event.altKey && digit ? comments[Number(digit) - 1] : undefined;
        if (comment === undefined) return;
        event.preventDefault();
        reuse(comment);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        submit(true);
      }}
    >
      {isReturning && <p className={classes.returning}>{t("grading.return.text")}</p>}
      {rubric && !isReturning && (
        <MarksForm
          rubric={rubric}
          choices={values.choices}
          isBusy={form.isBusy}
          onChange={assessment.changeChoices}
        />
      )}
      {!isReturning && (
        <TextField
          label={t("grading.points", { most: numberText(answer.maxPoints) })}
          className={classes.points}
          inputMode="decimal"
          autoComplete="off"
          data-points=""
          {...field}
          readOnly={sum.isComplete || field.readOnly}
          description={
            rubric &&
            (sum.isComplete
              ? t("grading.rubric.sum")
              : sum.count > 0 &&
                t("grading.rubric.soFar", {
                  done: sum.count,
                  count: rubric.criteria.length,
                  points: sum.points,
                }))
          }
          ref={(element) => {
            field.ref(element);
            points.current = element;
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
            // Enter alone moves to the comment, so that points are not submitted by accident.
            event.preventDefault();
            form.setFocus("comment");
          }}
        />
      )}
      <TextArea
        label={t(isReturning ? "grading.return.comment" : "grading.comment")}
        rows={3}
        {...form.field("comment", (comment: string) =>
          isReturning && comment.trim() === "" ? "grading.return.commentRequired" : commentProblem(comment),
        )}
      />
      {comments.length > 0 && (
        <ol className={classes.comments} aria-label={t("grading.recent")}>
          {comments.map((comment, at) => (
            <li key={comment}>
              <button type="button" title={comment} onClick={() => reuse(comment)}>
                <kbd>{`Alt+${at + 1}`}</kbd>
                <span>{comment}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={form.isBusy}>
          {t(
            isReturning
              ? hasNext
                ? "grading.return.andNext"
                : "grading.return.confirm"
              : conflict
                ? "grading.conflict.save"
                : hasNext
                  ? "grading.saveAndNext"
                  : "grading.saveAndMove",
          )}
        </Button>
        {isReturning ? (
          <Button variant="default" disabled={form.isBusy} onClick={endReturn}>
            {t("grading.return.cancel")}
          </Button>
        ) : (
          <Button variant="default" disabled={form.isBusy} onClick={() => submit(false)}>
            {t("grading.save")}
          </Button>
        )}
        <span className={classes.keys}>{t("grading.saveKeys")}</span>
        {mayReturn && !isReturning && (
          <Button
            variant="subtle"
            className={classes.return}
            data-return
            disabled={form.isBusy}
            icon={<IconReturn size={18} />}
            onClick={beginReturn}
          >
            {t("grading.return.open")}
            <kbd className={classes.returnKey}>R</kbd>
          </Button>
        )}
      </div>
    </form>
  );
  return (
    <>
      {conflict && (
        <ConflictAlert
          theirs={conflict}
          typed={values}
          onKeepTheirs={() => {
            assessment.keepTheirs();
            points.current?.focus();
          }}
        />
      )}
      {side && createPortal(fields, side)}
    </>
  );
}

const commentProblem = (comment: string) =>
  countCharacters(comment.trim()) > ANSWER_ASSESS_COMMENT_MAX ? "grading.commentTooLong" : null;
