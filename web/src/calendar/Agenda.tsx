import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Button, ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { ListSkeleton } from "../ui/Skeletons";
import { IconCalendar } from "../ui/timeIcons";
import classes from "./Agenda.module.css";
import { CalendarDocument, OverdueDocument } from "./Calendar.generated";
import { byDay, startOfDay } from "./days";
import { EventRow } from "./EventRow";
import { useDueDates } from "./useDueDates";

/** How many events are read at once. */
const STEP = 100;

/** How many events the agenda shows at most. */
const MOST = 1000;

/** What is overdue, and what comes from today on, by day. */
export function Agenda({ today }: { today: string }) {
  const { t, i18n } = useTranslation();
  const [size, setSize] = useState(STEP);
  const { data, previousData, error, refetch } = useQuery(CalendarDocument, {
    variables: { from: startOfDay(today).toISOString(), first: size },
    fetchPolicy: "cache-and-network",
  });
  const late = useQuery(OverdueDocument, { fetchPolicy: "cache-and-network" });
  const upcoming = late.data?.upcoming;
  const calendar = (data ?? previousData)?.calendar;
  useDueDates(calendar?.nodes, () => {
    void refetch().catch(() => undefined);
    void late.refetch().catch(() => undefined);
  });
  if (!calendar)
    return (
      <div className={classes.agenda}>
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="h2"
          loading={<ListSkeleton rows={6} height="3.75rem" />}
        />
      </div>
    );
  // What was due today is listed today.
  const more = upcoming ? upcoming.overdueCount - upcoming.overdue.length : 0;
  const overdue = upcoming?.overdue.filter(({ at }) => new Date(at) < startOfDay(today)) ?? [];
  const nameOf = (day: string) =>
    new Intl.DateTimeFormat(i18n.language, {
      weekday: "long",
      day: "numeric",
      month: "long",
      year: day.slice(0, 4) === today.slice(0, 4) ? undefined : "numeric",
    }).format(startOfDay(day));
  return (
    <div className={classes.agenda}>
      {late.error && !upcoming && (
        <section aria-label={t("calendar.overdueHeading")}>
          <LoadFailure
            error={late.error}
            retry={() => void late.refetch().catch(() => undefined)}
            heading="p"
          />
        </section>
      )}
      {overdue.length > 0 && (
        <section className={classes.day} aria-labelledby="overdue">
          <h2 className={classes.heading} id="overdue">
            {t("calendar.overdueHeading")}
          </h2>
          <ul className={classes.events}>
            {overdue.map((event) => (
              <EventRow key={event.uid} event={event} isOverdue />
            ))}
          </ul>
          {more > 0 && <p className={classes.rest}>{t("calendar.overdueMore", { count: more })}</p>}
        </section>
      )}
      {calendar.nodes.length === 0 && (
        <EmptyState
          title={t("calendar.none")}
          icon={<IconCalendar />}
          heading="h2"
          action={
            <ButtonLink to="/" variant="default">
              {t("shell.myCourses")}
            </ButtonLink>
          }
        >
          {t("calendar.noneText")}
        </EmptyState>
      )}
      {byDay(calendar.nodes).map(([day, events]) => (
        <section key={day} className={classes.day} aria-labelledby={`day-${day}`}>
          <h2 className={classes.heading} id={`day-${day}`}>
            {day === today && <span className={classes.today}>{t("calendar.today")}</span>}
            <span className={classes.date}>{nameOf(day)}</span>
          </h2>
          <ul className={classes.events}>
            {events.map((event) => (
              <EventRow key={event.uid} event={event} />
            ))}
          </ul>
        </section>
      ))}
      {calendar.totalCount > calendar.nodes.length && size >= MOST && (
        <p className={classes.rest}>{t("calendar.cut", { shown: calendar.nodes.length })}</p>
      )}
      {calendar.totalCount > calendar.nodes.length && size < MOST && (
        <Button variant="default" loading={data === undefined} onClick={() => setSize(size + STEP)}>
          {t("calendar.more")}
        </Button>
      )}
    </div>
  );
}
