import { useState } from "react";
import { preciseMoment } from "../../i18n/preciseMoment";
import { useTranslation } from "../../i18n/useTranslation";
import { SaveState } from "../../ui/SaveState";
import { IconClock } from "../../ui/timeIcons";
import { useOnline } from "../../ui/useOnline";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import type { AttemptSession } from "./AttemptSession";
import type { AttemptState } from "./attemptState";
import classes from "./Clock.module.css";
import { type Announced, announcementBetween, clockText, LAST_MINUTE } from "./clock";
import { refusedIds } from "./queue";
import { useSecondsLeft } from "./useSecondsLeft";

/** Without a time limit, the clock is shown only so long before the page closes, in seconds. */
const CLOSING = 3600;

interface ClockProps {
  session: AttemptSession;
  state: AttemptState;
  /** Whether the attempt has a time limit; otherwise it ends when the page closes, or never. */
  hasLimit: boolean;
}

/** The time left, if it matters, and whether the answers are saved, always in view. */
export function Clock({ session, state, hasLimit }: ClockProps) {
  const { t } = useTranslation();
  const left = useSecondsLeft(session.clock.left);
  const isLow = left <= LAST_MINUTE;
  return (
    <div className={classes.bar} data-low={isLow || undefined}>
      {hasLimit || left <= CLOSING ? (
        <p className={classes.time}>
          <IconClock size={20} />
          <span role="timer" aria-label={t("quiz.timed.left")} className={classes.clock}>
            {clockText(left)}
          </span>
          <span className={classes.words}>{t(wordsOf(left))}</span>
        </p>
      ) : (
        <p className={classes.words}>{t("quiz.drawn.saving")}</p>
      )}
      <Status session={session} state={state} />
      <Announcement left={left} />
    </div>
  );
}

function wordsOf(left: number) {
  if (left <= 0) return "quiz.timed.words.over";
  return left <= LAST_MINUTE ? "quiz.timed.words.low" : "quiz.timed.words.left";
}

/** Tells screen readers at few moments how much time is left. */
function Announcement({ left }: { left: number }) {
  const { t } = useTranslation();
  const [before, setBefore] = useState(left);
  const [said, setSaid] = useState<Announced | null>(null);
  if (before !== left) {
    setBefore(left);
    const due = announcementBetween(before, left);
    if (due !== null) setSaid(due);
  }
  return (
    <VisuallyHidden>
      <span aria-live="polite">{said !== null && t(`quiz.timed.said.${said}`)}</span>
    </VisuallyHidden>
  );
}

/** Whether the answers are saved. Only what goes wrong is announced to screen readers: saving would drown out the questions. */
function Status({ session, state }: Omit<ClockProps, "hasLimit">) {
  const { t, i18n } = useTranslation();
  const isOnline = useOnline();
  const isTooLate = useSecondsLeft(session.clock.graceLeft) <= 0;
  const { answers, isComparing, isKept, isUnreachable, phase, queue } = state;
  // What came too late is told with the result, when it is known what did not arrive.
  const isSilent = phase === "ended" || Object.keys(queue.lost).length > 0;
  const failed = (text: string) => ({ state: "failed" as const, text });
  const problem = () => {
    if (isSilent) return null;
    if (refusedIds(queue).length > 0) return failed(t("quiz.timed.refused"));
    if (session.isSettled()) return null;
    if (!isKept && !isTooLate) return failed(t("quiz.timed.atRisk"));
    if (!isUnreachable) return null;
    if (isTooLate) return failed(t("quiz.timed.tooLate"));
    const reason = isOnline ? "noAnswer" : "offline";
    const until = session.clock.acceptedUntil;
    const text = until
      ? t(`quiz.timed.${reason}Until`, { when: preciseMoment(until, new Date(), i18n.language) })
      : t(`quiz.timed.${reason}`);
    return { state: "offline" as const, text };
  };
  const progress = () => {
    if (isSilent) return null;
    if (!session.isSettled() || isComparing)
      return { state: "saving" as const, text: t("quiz.timed.saving") };
    if (Object.keys(queue.unsent).length > 0)
      return { state: "unsaved" as const, text: t("quiz.timed.unreadable") };
    // Before anything is answered, there is nothing to say.
    return Object.keys(answers).length > 0 ? { state: "saved" as const, text: t("quiz.timed.saved") } : null;
  };
  const wrong = problem();
  const usual = wrong ? null : progress();
  return (
    <div>
      <div role="status">{wrong && <SaveState {...wrong} isQuiet />}</div>
      {usual && <SaveState {...usual} isQuiet />}
    </div>
  );
}
