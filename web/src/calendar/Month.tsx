import { useQuery } from "@apollo/client/react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { IconChevron } from "../ui/icons";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import { CalendarDocument } from "./Calendar.generated";
import { addMonths, byDay, monthOf, startOfDay, weeksOf } from "./days";
import { EventKind } from "./EventKind";
import { EventLink } from "./EventRow";
import classes from "./Month.module.css";

/** The most events of a month. */
const MOST = 1000;

/** A month as a table of weeks; on narrow screens as a list of the days with events. */
export function Month({ month, today }: { month: string; today: string }) {
  const { t, i18n } = useTranslation();
  const weeks = weeksOf(month);
  const next = addMonths(month, 1);
  const { data, error, refetch } = useQuery(CalendarDocument, {
    variables: {
      from: startOfDay(`${month}-01`).toISOString(),
      until: startOfDay(`${next}-01`).toISOString(),
      first: MOST,
    },
    fetchPolicy: "cache-and-network",
  });
  const events = new Map(byDay(data?.calendar.nodes ?? []));
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(i18n.language, options);
  const title = format({ month: "long", year: "numeric" }).format(startOfDay(`${month}-01`));
  const time = format({ hour: "2-digit", minute: "2-digit" });
  return (
    <div className={classes.month}>
      <div className={classes.head}>
        <h2 className={classes.title} aria-live="polite">
          {title}
        </h2>
        <nav className={classes.steps} aria-label={t("calendar.months")}>
          <ButtonLink
            to="/calendar"
            search={{ month: addMonths(month, -1) }}
            variant="default"
            aria-label={t("calendar.previous")}
          >
            <span className={classes.back}>
              <IconChevron />
            </span>
          </ButtonLink>
          <ButtonLink to="/calendar" search={{ month: monthOf(startOfDay(today)) }} variant="default">
            {t("calendar.today")}
          </ButtonLink>
          <ButtonLink
            to="/calendar"
            search={{ month: next }}
            variant="default"
            aria-label={t("calendar.next")}
          >
            <IconChevron />
          </ButtonLink>
        </nav>
      </div>
      {!data && (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="p"
          loading={<SkeletonBlock height="32rem" />}
        />
      )}
      {data?.calendar.nodes.length === 0 && (
        <p className={classes.none} role="status">
          {t("calendar.noneInMonth")}
        </p>
      )}
      {data && (
        <table className={classes.table} aria-label={title}>
          <thead>
            <tr>
              {weeks[0]?.map((day) => (
                <th key={day} scope="col" abbr={format({ weekday: "long" }).format(startOfDay(day))}>
                  {format({ weekday: "short" }).format(startOfDay(day))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.map((day) => {
                  const found = events.get(day) ?? [];
                  const isOther = !day.startsWith(month);
                  return (
                    <td
                      key={day}
                      className={classes.day}
                      data-other={isOther || undefined}
                      data-empty={found.length === 0 || undefined}
                      aria-current={day === today ? "date" : undefined}
                    >
                      <p className={classes.number}>
                        <time dateTime={day}>
                          <span className={classes.dayNumber}>{startOfDay(day).getDate()}</span>
                          <span className={classes.weekday}>
                            {format({ day: "numeric", month: "long", weekday: "long" }).format(
                              startOfDay(day),
                            )}
                          </span>
                        </time>
                        {day === today && <span className={classes.today}>{t("calendar.today")}</span>}
                      </p>
                      {found.length > 0 && (
                        <ul className={classes.events}>
                          {found.map((event) => (
                            <li
                              key={event.uid}
                              className={classes.event}
                              data-overdue={event.isOverdue || undefined}
                            >
                              <span className={classes.kind}>
                                {time.format(new Date(event.at))} <EventKind event={event} />
                              </span>
                              <EventLink event={event} />
                              {event.part !== "COURSE" && (
                                <span className={classes.course}>{event.courseTitle}</span>
                              )}
                            </li>
                          ))}
                        </ul>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
