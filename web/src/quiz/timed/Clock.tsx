import { useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { SaveState } from "../../ui/SaveState";
import { IconClock } from "../../ui/timeIcons";
import { VisuallyHidden } from "../../ui/VisuallyHidden";
import type { AttemptSession, AttemptState } from "./AttemptSession";
import classes from "./Clock.module.css";
import { type Announced, announcementBetween, clockText, LAST_MINUTE } from "./clock";
import { hasRefused } from "./queue";
import { useSecondsLeft } from "./useSecondsLeft";

interface ClockProps {
  session: AttemptSession;
  state: AttemptState;
}

/** The time left and whether the answers are saved, always in view. */
export function Clock({ session, state }: ClockProps) {
  const { t } = useTranslation();
  const left = useSecondsLeft(session.left);
  const isLow = left <= LAST_MINUTE;
  return (
    <div className={classes.bar} data-low={isLow || undefined}>
      <p className={classes.time}>
        <IconClock size={20} />
        <span role="timer" aria-label={t("quiz.timed.left")} className={classes.clock}>
          {clockText(left)}
        </span>
        <span className={classes.words}>{t(wordsOf(left))}</span>
      </p>
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

function Status({ session, state }: ClockProps) {
  const { t } = useTranslation();
  const { answers, isKept, isUnreachable, phase, queue } = state;
  if (phase === "ended") return null;
  if (hasRefused(queue)) return <SaveState state="failed" text={t("quiz.timed.refused")} />;
  if (session.isSettled()) {
    // Before anything is answered, there is nothing to say.
    const isEmpty = Object.keys(answers).length === 0;
    return isEmpty ? null : <SaveState state="saved" text={t("quiz.timed.saved")} />;
  }
  if (!isKept) return <SaveState state="failed" text={t("quiz.timed.atRisk")} />;
  if (isUnreachable) return <SaveState state="offline" text={t("quiz.timed.offline")} />;
  return <SaveState state="saving" text={t("quiz.timed.saving")} />;
}
