import { firstAhead, nextWording } from "../dates/ahead";
import { PartTimes } from "../dates/PartTimes";
import { begunDays, nextPenaltyDay } from "../dates/penalty";
import { useNow } from "../dates/useNow";
import { momentOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { IconLock } from "../ui/laterIcons";
import type { QuizPageState } from "./model";
import classes from "./QuizPart.module.css";
import type { Mode } from "./useTaking";

/** A quiz page, or an assignment. */
interface TimesProps {
  page: Omit<QuizPageState, "quiz" | "attempts" | "runningAttempt"> & {
    attempts: readonly unknown[];
    quiz: { questions: readonly { __typename: string }[] } | null;
  };
  mode: Mode;
}

/** Until when the quiz takes answers, and what a late attempt costs. Nothing for a quiz without dates. */
export function QuizTimes({ page, mode }: TimesProps) {
  const { t, i18n } = useTranslation();
  const { timeline, latePenaltyPerDay, latePenaltyMax } = page;
  const { dueAt, closesAt, lateUntil, penaltyPercent } = timeline;
  // The due date passes, and the penalty grows, while the quiz is open.
  const now = useNow((now) => firstAhead([nextPenaltyDay(dueAt, now), nextWording([dueAt], now)], now));
  const isAssignment = page.quiz?.questions[0]?.__typename === "HandInQuestion";
  const words = isAssignment ? "assignment" : "quiz";
  if (timeline.state === "CLOSED") return <Closed page={page} words={words} />;
  const moment = (iso: string) => ({ ...momentOf(iso, now, i18n.language) });
  const percent = latePenaltyPerDay ?? 0;
  const max = latePenaltyMax ?? 100;
  // Staff who try the quiz lose nothing.
  const penaltyNow =
    mode === "try" ? 0 : Math.max(penaltyPercent, Math.min(max, percent * begunDays(dueAt, now)));
  return (
    <>
      <PartTimes
        times={timeline}
        isDone={mode === "try" || page.isCompleted}
        zone={page.course.timeZone}
        now={now}
        inFull
      />
      {lateUntil ? (
        <span>{t("dates.quiz.lateUntil", moment(lateUntil))}</span>
      ) : (
        closesAt && closesAt !== dueAt && <span>{t(`dates.${words}.closesAt`, moment(closesAt))}</span>
      )}
      {dueAt && percent > 0 && (
        <span>{t(max < 100 ? "dates.quiz.penaltyMax" : "dates.quiz.penalty", { percent, max })}</span>
      )}
      <strong aria-live="polite">{penaltyNow > 0 && t("dates.quiz.now", { percent: penaltyNow })}</strong>
    </>
  );
}

function Closed({ page, words }: { page: TimesProps["page"]; words: "quiz" | "assignment" }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { closesAt } = page.timeline;
  return (
    <span className={classes.closed}>
      <IconLock size={18} />
      <span>
        {closesAt
          ? t(`dates.${words}.closed`, { ...momentOf(closesAt, now, i18n.language) })
          : t(`dates.${words}.closedNow`)}
        {page.attempts.length > 0 && ` ${t(`dates.${words}.resultsBelow`)}`}
      </span>
    </span>
  );
}
