import { createFileRoute } from "@tanstack/react-router";
import { CalendarScreen, type CalendarSearch } from "../../calendar/CalendarScreen";
import { loadTexts } from "../../i18n";

export const Route = createFileRoute("/_app/calendar")({
  validateSearch: ({ month }: Record<string, unknown>): CalendarSearch =>
    month ? { month: String(month) } : {},
  loader: () => loadTexts("calendar", "dates"),
  component: function CalendarRoute() {
    return <CalendarScreen {...Route.useSearch()} />;
  },
});
