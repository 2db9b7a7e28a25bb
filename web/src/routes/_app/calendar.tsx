import { createFileRoute } from "@tanstack/react-router";
import { CalendarScreen, type CalendarSearch } from "../../calendar/CalendarScreen";
import { loadTexts } from "../../i18n";

export const Route = createFileRoute("/_app/calendar")({
  // The screen reads it tolerantly; it is loaded later.
  validateSearch: (given: Record<string, unknown>): CalendarSearch => given,
  loader: () => loadTexts("calendar", "dates"),
  component: function CalendarRoute() {
    const { month } = Route.useSearch();
    // The router parses a string of digits as a number.
    return <CalendarScreen {...(month && { month: String(month) })} />;
  },
});
