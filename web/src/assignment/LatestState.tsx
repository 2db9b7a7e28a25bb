import type { ReactNode } from "react";
import { useNow } from "../dates/useNow";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { IconCheck } from "../ui/icons";
import { IconReturn } from "../ui/laterIcons";
import { IconClock } from "../ui/timeIcons";
import classes from "./LatestState.module.css";
import type { AssignmentPage, Version } from "./model";
import { stateOf } from "./versionState";

interface LatestStateProps {
  page: AssignmentPage;
  /** The newest version. */
  attempt: Version;
  /** Shown with the result: the message that the course is completed. */
  outcome?: ReactNode;
  /** The link to the next page, for an assignment that is passed. */
  next?: ReactNode;
  /** Whether staff try the assignment. */
  isTryOut?: boolean;
  /** Begins another version; null where there is none, or where one is begun. */
  onRevise: (() => void) | null;
}

const ICONS = { waiting: IconClock, returned: IconReturn, passed: IconCheck, notPassed: null } as const;

/** Where the work is: it waits for a teacher, was returned, or has its points; and what can be done now. */
export function LatestState({ page, attempt, outcome, next, isTryOut = false, onRevise }: LatestStateProps) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const state = stateOf(attempt);
  const { passPercent = 0 } = page.quiz ?? {};
  const isPassed = page.attempts.some(({ passed }) => passed);
  const comment = attempt.results[0]?.comment;
  const Icon = ICONS[state];
  const version = t("assignment.versionAt", {
    number: attempt.attemptNo,
    when: formatDateTime(attempt.submittedAt, now, i18n.language, t),
  });
  return (
    <section className={classes.latest} data-state={state} aria-labelledby="latest-version">
      <h2 id="latest-version" tabIndex={-1} data-latest className={classes.title}>
        {Icon && <Icon size={22} />}
        {t(`assignment.state.${state}.title`)}
      </h2>
      {(state === "passed" || state === "notPassed") && (
        <p className={classes.points}>
          <strong>{t("quiz.pointsOf", { points: attempt.score, count: attempt.maxScore })}</strong>
          {state === "notPassed" && passPercent > 0 && (
            <span>{t("assignment.needed", { percent: passPercent })}</span>
          )}
        </p>
      )}
      <p className={classes.text}>
        {isTryOut ? t("quiz.tryOut.notStored") : `${version}. ${t(`assignment.state.${state}.text`)}`}
      </p>
      {attempt.penaltyPercent > 0 && (
        <p className={classes.text}>{t("dates.quiz.lost", { percent: attempt.penaltyPercent })}</p>
      )}
      {state === "returned" && comment && (
        <blockquote className={classes.comment}>
          <p>{comment}</p>
        </blockquote>
      )}
      {state === "notPassed" && !isPassed && page.attemptsLeft === 0 && (
        <p className={classes.text}>{t("assignment.askTeacher")}</p>
      )}
      {((isPassed && next) || onRevise) && (
        <p className={classes.actions}>
          {isPassed && next}
          {onRevise && (
            <Button variant={state === "returned" || !isPassed ? "filled" : "default"} onClick={onRevise}>
              {t(isTryOut ? "assignment.tryAgain" : "assignment.revise")}
            </Button>
          )}
        </p>
      )}
      {outcome && <div className={classes.outcome}>{outcome}</div>}
    </section>
  );
}
