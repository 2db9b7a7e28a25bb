import { useMutation, useQuery } from "@apollo/client/react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { countCharacters } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { COMMENT_MAX } from "../limits.generated";
import { numberText } from "../quiz-builder/numbers";
import { MeDocument } from "../shell/Me.generated";
import { Button } from "../ui/Button";
import { TextArea } from "../ui/TextArea";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
import classes from "./AnswerPanel.module.css";
import { AssessmentFacts } from "./AssessmentFacts";
import { recentComments, rememberComment } from "./comments";
import {
  AssessAndClaimNextDocument,
  AssessAnswerDocument,
  type ClaimNextAnswerMutationVariables,
} from "./Grading.generated";
import { type OpenAnswer, parsePoints } from "./queue";
import type { GradingQueue } from "./useQueue";

interface Props {
  answer: OpenAnswer;
  name: string;
  next: ClaimNextAnswerMutationVariables["input"] | null;
  grading: GradingQueue;
  /** The element into which the fields are rendered. */
  side: HTMLElement | null;
  onNext: (answer: OpenAnswer | null) => void;
  /** Moves to another answer; returns false if there is none. */
  onMove: (by: 1 | -1) => boolean;
  onChanged: (answer: OpenAnswer) => void;
}

const valuesOf = ({ points, comment }: OpenAnswer) => ({
  points: points === null ? "" : numberText(points),
  comment: comment ?? "",
});

/** The points and the comment for an answer. Ctrl+Enter stores them and opens the next answer. */
export function AssessForm({ answer, name, next, grading, side, onNext, onMove, onChanged }: Props) {
  const { t } = useTranslation();
  const userId = useQuery(MeDocument).data?.me.id ?? "";
  const [assess] = useMutation(AssessAnswerDocument, { fetchPolicy: "no-cache" });
  const [assessAndClaim] = useMutation(AssessAndClaimNextDocument, { fetchPolicy: "no-cache" });
  const [comments, setComments] = useState(() => recentComments(userId, answer.questionId));
  /** The answer as the grader saw it: the typed assessment is based on this version. */
  const [seen, setSeen] = useState(answer);
  const [conflict, setConflict] = useState<OpenAnswer | null>(null);
  const goesOn = useRef(false);
  const points = useRef<HTMLInputElement | null>(null);
  const form = useGuardedForm({
    name: "assessment",
    subject: `${answer.attemptId} ${answer.questionId}`,
    values: valuesOf(seen),
    save: async (typed) => {
      const worth = parsePoints(typed.points, answer.maxPoints) ?? 0;
      const input = {
        attemptId: answer.attemptId,
        questionId: answer.questionId,
        version: seen.version,
        points: worth,
        comment: typed.comment.trim() || null,
      };
      grading.expect(answer, worth);
      try {
        if (goesOn.current && next) {
          const { data } = await assessAndClaim({ variables: { input, next } });
          return { ...data?.assessAnswer, following: data?.claimNextAnswer.answer ?? null };
        }
        const { data } = await assess({ variables: { input } });
        return { ...data?.assessAnswer, following: undefined };
      } catch (failure) {
        grading.forget(answer);
        throw failure;
      }
    },
    onSaved: ({ answer: stored, conflict: refused, following }, typed) => {
      if (refused && !isOwn(refused.answer, typed, userId)) {
        grading.forget(answer);
        setConflict(refused.answer);
        setSeen(refused.answer);
        // Nothing was stored, so the form stays dirty.
        form.reset(valuesOf(refused.answer));
        form.setValue("points", typed.points, { shouldDirty: true });
        form.setValue("comment", typed.comment, { shouldDirty: true });
        return;
      }
      setConflict(null);
      setComments(rememberComment(userId, answer.questionId, typed.comment));
      const now = stored ?? refused?.answer;
      if (now) {
        setSeen(now);
        onChanged(now);
      }
      if (following !== undefined) onNext(following);
      else if (!goesOn.current || !onMove(1)) toastSuccess(t("grading.saved"));
    },
    // The next answer is about to replace this one, so the fields accept no input.
    isOnce: true,
    refusalAt: "points",
  });
  const { isDirty } = form;
  // Show another grader's points, unless the fields here were edited.
  useEffect(() => {
    if (!isDirty && answer.version > seen.version) setSeen(answer);
  }, [answer, seen, isDirty]);

  const told = useRef<HTMLDivElement>(null);
  // On a phone, the conflict is shown above the answer and may be out of view of the fields below it.
  useEffect(() => {
    if (conflict) told.current?.scrollIntoView({ block: "center" });
  }, [conflict]);

  const submit = (on: boolean) => {
    goesOn.current = on;
    void form.submit();
  };
  /** Appends a comment to the text, or fills the empty field with it. */
  const reuse = (comment: string) => {
    const written = form.getValues("comment").trim();
    const text = written === "" ? comment : written.includes(comment) ? written : `${written}\n${comment}`;
    form.setValue("comment", text, { shouldDirty: true });
  };
  const keepTheirs = () => {
    const theirs = conflict;
    setConflict(null);
    if (theirs) form.reset(valuesOf(theirs));
    points.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit(true);
      return;
    }
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    const comment = event.altKey && digit ? comments[Number(digit) - 1] : undefined;
    if (comment !== undefined) {
      event.preventDefault();
      reuse(comment);
    }
  };
  const field = form.field("points", (typed: string) =>
    parsePoints(typed, answer.maxPoints) === null ? "grading.pointsRequired" : null,
  );
  const last = conflict?.history.find(({ version }) => version === conflict.version);
  const fields = (
    <form
      {...form.props}
      className={classes.form}
      aria-label={t("grading.form", { name })}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        goesOn.current = true;
        return form.props.onSubmit(event);
      }}
    >
      <TextField
        label={t("grading.points", { most: numberText(answer.maxPoints) })}
        className={classes.points}
        inputMode="decimal"
        autoComplete="off"
        data-points=""
        {...field}
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
      <TextArea label={t("grading.comment")} rows={3} {...form.field("comment", commentProblem)} />
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
          {t(conflict ? "grading.conflict.save" : next ? "grading.saveAndNext" : "grading.saveAndMove")}
        </Button>
        <Button variant="default" disabled={form.isBusy} onClick={() => submit(false)}>
          {t("grading.save")}
        </Button>
        <span className={classes.keys}>{t("grading.saveKeys")}</span>
      </div>
    </form>
  );
  return (
    <>
      {conflict && (
        <div ref={told} className={classes.conflict} role="alert">
          <h3>{t("grading.conflict.title")}</h3>
          <p>{t("grading.conflict.text")}</p>
          <div className={classes.sides}>
            <section aria-label={t("grading.conflict.theirs")}>
              <h4>{t("grading.conflict.theirs")}</h4>
              {last && <AssessmentFacts assessment={last} maxPoints={answer.maxPoints} />}
              <Button variant="default" size="compact" onClick={keepTheirs}>
                {t("grading.conflict.keep")}
              </Button>
            </section>
            <section aria-label={t("grading.conflict.yours")}>
              <h4>{t("grading.conflict.yours")}</h4>
              <p className={classes.given}>
                {t("grading.conflict.typed", {
                  points: form.watch("points"),
                  most: numberText(answer.maxPoints),
                })}
              </p>
              <p className={classes.comment}>{form.watch("comment")}</p>
            </section>
          </div>
        </div>
      )}
      {side && createPortal(fields, side)}
    </>
  );
}

/** Whether the same grader has already stored these values: an earlier save succeeded, and its response was lost. */
function isOwn(answer: OpenAnswer, typed: { points: string; comment: string }, userId: string): boolean {
  const last = answer.history.find(({ version }) => version === answer.version);
  return (
    last?.by?.id === userId &&
    last.points === parsePoints(typed.points, answer.maxPoints) &&
    (last.comment ?? "") === typed.comment.trim()
  );
}

const commentProblem = (comment: string) =>
  countCharacters(comment.trim()) > COMMENT_MAX ? "grading.commentTooLong" : null;
