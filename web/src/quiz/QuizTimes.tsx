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

/** Until when the quiz takes answers, and what a late attempt costs. Nothing for a quiz without dates. */
export function QuizTimes({ page, mode }: { page: QuizPageState; mode: Mode }) {
  const { t, i18n } = useTranslation();
  const { timeline, latePenaltyPerDay, latePenaltyMax } = page;
  const { dueAt, closesAt, lateUntil, penaltyPercent } = timeline;
  // The due date passes, and the penalty grows, while the quiz is open.
  const now = useNow((now) => firstAhead([nextPenaltyDay(dueAt, now), nextWording([dueAt], now)], now));
  if (timeline.state === "CLOSED") return <Closed page={page} />;
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
        closesAt && closesAt !== dueAt && <span>{t("dates.quiz.closesAt", moment(closesAt))}</span>
      )}
      {dueAt && percent > 0 && (
        <span>{t(max < 100 ? "dates.quiz.penaltyMax" : "dates.quiz.penalty", { percent, max })}</span>
      )}
      <strong aria-live="polite">{penaltyNow > 0 && t("dates.quiz.now", { percent: penaltyNow })}</strong>
    </>
  );
}

function Closed({ page }: { page: QuizPageState }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { closesAt } = page.timeline;
  return (
    <span className={classes.closed}>
      <IconLock size={18} />
      <span>
        {closesAt
          ? t("dates.quiz.closed", { ...momentOf(closesAt, now, i18n.language) })
          : t("dates.quiz.closedNow")}
        {page.attempts.length > 0 && ` ${t("dates.quiz.resultsBelow")}`}
      </span>
    </span>
  );
}
