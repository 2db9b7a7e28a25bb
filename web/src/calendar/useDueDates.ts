import { firstAhead } from "../dates/ahead";
import { useNow } from "../dates/useNow";
import type { CalendarEvent_EventFragment } from "./Calendar.generated";

/** Reads events again when the next of their due dates has passed: the server says what is overdue. */
export function useDueDates(events: readonly CalendarEvent_EventFragment[] | undefined, reload: () => void) {
  const dueDates = events?.map(({ kind, isDone, at }) => (kind === "DUE" && !isDone ? at : null)) ?? [];
  useNow((now) => firstAhead(dueDates, now), reload);
}
