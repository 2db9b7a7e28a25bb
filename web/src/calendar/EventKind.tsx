import { useTranslation } from "../i18n/useTranslation";
import { IconCheck } from "../ui/icons";
import { IconClock, IconOverdue } from "../ui/timeIcons";
import type { CalendarEvent_EventFragment } from "./Calendar.generated";
import classes from "./EventKind.module.css";

/** What happens: a word with an icon; overdue and done have icons and words of their own. */
export function EventKind({ event: { kind, isDone, isOverdue } }: { event: CalendarEvent_EventFragment }) {
  const { t } = useTranslation();
  const state = isOverdue ? "overdue" : kind === "DUE" && isDone ? "done" : undefined;
  const Icon = state === "overdue" ? IconOverdue : state === "done" ? IconCheck : IconClock;
  return (
    <span className={classes.kind} data-state={state}>
      <Icon size={16} />
      {t(state ? `calendar.${state}` : `calendar.kinds.${kind}`)}
    </span>
  );
}
