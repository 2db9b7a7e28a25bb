import { Link } from "@tanstack/react-router";
import { isGuest } from "../api/session";
import { nextMidnight } from "../dates/ahead";
import { useNow } from "../dates/useNow";
import { useTranslation } from "../i18n/useTranslation";
import { Screen } from "../ui/Screen";
import { Tabs } from "../ui/Tabs";
import { Agenda } from "./Agenda";
import classes from "./CalendarScreen.module.css";
import { dayOf, parseMonth } from "./days";
import { FeedSection } from "./FeedSection";
import { Month } from "./Month";

export interface CalendarSearch {
  /** The month to show, such as `2026-12`; the agenda without it, and for any other text. */
  month?: string;
}

/** The screen at /calendar: the dates of all courses, and the address for calendar programs. */
export function CalendarScreen(search: CalendarSearch) {
  const { t } = useTranslation();
  const today = dayOf(useNow(nextMidnight));
  const month = parseMonth(search.month);
  return (
    <Screen title={t("calendar.title")} lead={t("calendar.lead")}>
      <Tabs label={t("calendar.views")}>
        <Link to="/calendar" search={{}} activeOptions={{ exact: true }}>
          {t("calendar.agenda")}
        </Link>
        <Link to="/calendar" search={{ month: month ?? today.slice(0, 7) }} activeOptions={{ exact: true }}>
          {t("calendar.month")}
        </Link>
      </Tabs>
      {month === undefined && search.month !== undefined && (
        <p className={classes.note} role="status">
          {t("calendar.noSuchMonth")}
        </p>
      )}
      {month === undefined ? <Agenda today={today} /> : <Month month={month} today={today} />}
      {!isGuest() && <FeedSection />}
    </Screen>
  );
}
