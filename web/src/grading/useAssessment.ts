import { useMutation, useQuery } from "@apollo/client/react";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useGuardedForm } from "../forms/useGuardedForm";
import { i18n, loadTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import type { Pin } from "../quiz/pins/pins";
import { numberText } from "../quiz-builder/numbers";
import { MeDocument } from "../shell/Me.generated";
import { toastSuccess } from "../ui/toasts";
import { recentComments, rememberComment } from "./comments";
import { type Assessing, dropDraft, keepDraft, readDraft } from "./drafts";
import {
  AssessAndClaimNextDocument,
  AssessAnswerDocument,
  type ClaimNextAnswerMutationVariables,
} from "./Grading.generated";
import { type Choice, choicesOf, chosenSum, marksOf } from "./marks";
import { editablePins, pinsInput } from "./pinInput";
import { type OpenAnswer, parsePoints } from "./queue";
import type { GradingQueue } from "./useQueue";

export interface AssessmentOptions {
  answer: OpenAnswer;
  /** The queue from which the next answer is taken; null in the list of graded answers. */
  next: ClaimNextAnswerMutationVariables["input"] | null;
  grading: GradingQueue;
  onNext: (answer: OpenAnswer | null) => void;
  /** Moves to another answer; returns false if there is none. */
  onMove: (by: 1 | -1) => boolean;
  onChanged: (answer: OpenAnswer) => void;
}

const valuesOf = ({ points, comment, rubric, marks, pins }: OpenAnswer): Assessing => ({
  points: points === null ? "" : numberText(points),
  comment: comment ?? "",
  choices: choicesOf(rubric, marks),
  pins: editablePins(pins),
});

/** A grader's work on an answer: what is typed and chosen, its copy on this device, its saving, and the conflict with another grader. */
export function useAssessment({ answer, next, grading, onNext, onMove, onChanged }: AssessmentOptions) {
  const { t } = useTranslation();
  const userId = useQuery(MeDocument).data?.me.id ?? "";
  const [assess] = useMutation(AssessAnswerDocument, { fetchPolicy: "no-cache" });
  const [assessAndClaim] = useMutation(AssessAndClaimNextDocument, { fetchPolicy: "no-cache" });
  const [comments, setComments] = useState(() => recentComments(userId, answer.questionId));
  /** The answer as the grader saw it: the typed assessment is based on this version. */
  const [seen, setSeen] = useState(answer);
  const [conflict, setConflict] = useState<OpenAnswer | null>(null);
  /** During a conflict, the version that the typed assessment was based on before. */
  const basis = useRef(answer.version);
  const goesOn = useRef(false);
  /** Whether the answer goes back to its learner for revision instead of getting points. */
  const [returns, setReturning] = useState(false);
  const { rubric } = answer;
  const form = useGuardedForm<Assessing, Saved>({
    name: "assessment",
    subject: `${answer.attemptId} ${answer.questionId}`,
    values: valuesOf(seen),
    save: async (typed) => {
      const marks = marksOf(typed.choices);
      const worth = returns ? null : pointsOf(typed, answer);
      const input = {
        attemptId: answer.attemptId,
        questionId: answer.questionId,
        version: seen.version,
        ...(returns ? { isReturned: true } : marks ? { marks } : { points: worth }),
        pins: pinsInput(typed.pins, fileIds(answer)),
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
      if (refused && !isOwn(refused.answer, typed, userId, returns)) {
        grading.forget(answer);
        if (!conflict) basis.current = seen.version;
        setConflict(refused.answer);
        setSeen(refused.answer);
        // Nothing was stored, so the form stays dirty.
        form.reset(valuesOf(refused.answer));
        put(typed);
        return;
      }
      setConflict(null);
      setReturning(false);
      dropDraft(userId, answer);
      setComments(rememberComment(userId, answer.questionId, typed.comment));
      const now = stored ?? refused?.answer;
      if (now) {
        setSeen(now);
        onChanged(now);
      }
      if (following !== undefined) onNext(following);
      else if (!goesOn.current || !onMove(1))
        toastSuccess(t(returns ? "grading.return.done" : "grading.saved"));
    },
    // The next answer is about to replace this one, so the fields accept no input.
    isOnce: true,
    refusalAt: returns ? "comment" : "points",
  });
  const { isDirty } = form;
  const typed = form.watch();
  const put = (values: Assessing) => {
    for (const field of ["points", "comment", "choices", "pins"] as const)
      form.setValue(field, values[field], { shouldDirty: true });
  };
  // Show another grader's points, unless the fields here were edited.
  useEffect(() => {
    if (!isDirty && answer.version > seen.version) setSeen(answer);
  }, [answer, seen, isDirty]);

  const restore = useEffectEvent(() => {
    const draft = readDraft(userId, answer);
    if (!draft) return;
    const { values, version } = draft;
    if (version < answer.version && isOwn(answer, values, userId, answer.isReturned)) {
      dropDraft(userId, answer);
      return;
    }
    put({ ...values, choices: choicesOf(rubric, values.choices) });
    if (version < answer.version) {
      basis.current = version;
      setConflict(answer);
    }
    loadTexts("forms").then(
      () => toastSuccess(i18n.t("forms.restored")),
      () => undefined,
    );
  });
  useEffect(() => {
    if (userId) restore();
  }, [userId]);
  const wasDirty = useRef(false);
  const look = JSON.stringify(typed);
  const keep = useEffectEvent((values: Assessing) =>
    // Reopening the answer shows the conflict again until it is resolved.
    keepDraft(userId, answer, { version: conflict ? basis.current : seen.version, values }),
  );
  const drop = useEffectEvent(() => dropDraft(userId, answer));
  useEffect(() => {
    if (isDirty) keep(JSON.parse(look));
    else if (wasDirty.current) drop();
    wasDirty.current = isDirty;
  }, [isDirty, look]);

  const submit = (on: boolean) => {
    goesOn.current = on;
    void form.submit();
  };
  const changeChoices = (choices: Choice[]) => {
    const [before, now] = [chosenSum(rubric, form.getValues("choices")), chosenSum(rubric, choices)];
    form.setValue("choices", choices, { shouldDirty: true });
    if (now.isComplete) form.setValue("points", numberText(now.points), { shouldDirty: true });
    // The points were the sum of marks, which are incomplete now.
    else if (before.isComplete) form.setValue("points", "", { shouldDirty: true });
    form.clearErrors("points");
  };
  return {
    form,
    rubric,
    values: typed,
    /** The grader's recent comments on the question. */
    comments,
    conflict,
    changeChoices,
    changePins: (change: (pins: readonly Pin[]) => Pin[]) =>
      form.setValue("pins", change(form.getValues("pins")), { shouldDirty: true }),
    /** Whether the answer goes back to its learner for revision, with the comment. */
    isReturning: returns,
    setReturning,
    /** Stores the assessment, and opens the next answer with `true`. */
    submit,
    /** Appends a comment to the text, or fills the empty field with it. */
    reuse: (comment: string) => {
      const written = form.getValues("comment").trim();
      const text = written === "" ? comment : written.includes(comment) ? written : `${written}\n${comment}`;
      form.setValue("comment", text, { shouldDirty: true });
    },
    /** Ends a conflict in favour of the other grader. */
    keepTheirs: () => {
      const theirs = conflict;
      setConflict(null);
      if (theirs) form.reset(valuesOf(theirs));
    },
    /** Stores the assessment with Ctrl+Enter; returns whether that was the key. */
    onSaveKey: (event: KeyboardEvent): boolean => {
      if (event.nativeEvent.isComposing || event.key !== "Enter" || !(event.ctrlKey || event.metaKey))
        return false;
      event.preventDefault();
      event.stopPropagation();
      submit(true);
      return true;
    },
  };
}

export type Assessment = ReturnType<typeof useAssessment>;

interface Saved {
  answer?: OpenAnswer | null;
  conflict?: { answer: OpenAnswer } | null;
  /** The assigned answer; null if none waits, undefined if none was asked for. */
  following: OpenAnswer | null | undefined;
}

const fileIds = ({ files }: OpenAnswer) => files.map(({ id }) => id);

/** The points of what was typed: the sum of complete marks, else the number. */
function pointsOf({ points, choices }: Assessing, { rubric, maxPoints }: OpenAnswer): number {
  const sum = chosenSum(rubric, choices);
  return sum.isComplete ? sum.points : (parsePoints(points, maxPoints) ?? 0);
}

/** Whether the same grader has already stored these values: an earlier save succeeded, and its response was lost. */
function isOwn(answer: OpenAnswer, typed: Assessing, userId: string, returns: boolean): boolean {
  const last = answer.history.find(({ version }) => version === answer.version);
  const isSameGrade =
    last?.points === pointsOf(typed, answer) &&
    isSame(marksOf(choicesOf(answer.rubric, last.marks)), marksOf(typed.choices));
  return (
    last?.by?.id === userId &&
    last.isReturned === returns &&
    (returns || isSameGrade) &&
    (last.comment ?? "") === typed.comment.trim() &&
    isSame(pinsInput(last.pins, fileIds(answer)), pinsInput(typed.pins, fileIds(answer)))
  );
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
