import { useQuery } from "@apollo/client/react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { IconChevron } from "../ui/icons";
import { SkeletonBlock } from "../ui/SkeletonBlock";
import { CalendarDocument } from "./Calendar.generated";
import CourseTime from "./CourseTime";
import { addDays, addMonths, byDay, monthOf, parseMonth, startOfDay, weeksOf } from "./days";
import { EventKind } from "./EventKind";
import { EventLink } from "./EventRow";
import classes from "./Month.module.css";
import { useDueDates } from "./useDueDates";

/** The most events that are read at once. */
const MOST = 1000;

/** A month as a table of whole weeks; on narrow screens as a list of its days with events. */
export function Month({ month, today }: { month: string; today: string }) {
  const { t, i18n } = useTranslation();
  const weeks = weeksOf(month);
  const days = weeks.flat();
  const { data, error, refetch } = useQuery(CalendarDocument, {
    variables: {
      from: startOfDay(days[0] ?? month).toISOString(),
      until: startOfDay(addDays(days.at(-1) ?? month, 1)).toISOString(),
      first: MOST,
    },
    fetchPolicy: "cache-and-network",
  });
  useDueDates(data?.calendar.nodes, () => void refetch().catch(() => undefined));
  const events = new Map(byDay(data?.calendar.nodes ?? []));
  const isEmpty = data !== undefined && ![...events.keys()].some((day) => day.startsWith(month));
  const isCut = data !== undefined && data.calendar.totalCount > data.calendar.nodes.length;
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
          <Step month={month} by={-1} label={t("calendar.previous")} />
          <ButtonLink to="/calendar" search={{ month: monthOf(startOfDay(today)) }} variant="default">
            {t("calendar.today")}
          </ButtonLink>
          <Step month={month} by={1} label={t("calendar.next")} />
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
      {isEmpty && (
        <p className={classes.none} role="status">
          {t("calendar.noneInMonth")}
        </p>
      )}
      {isCut && (
        <p className={classes.none} role="status">
          {t("calendar.cut", { shown: MOST })}
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
                              <CourseTime event={event} />
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

/** The link to a neighbouring month. At the end of the years of the calendar it stays where it is, so that it keeps the focus. */
function Step({ month, by, label }: { month: string; by: -1 | 1; label: string }) {
  const to = parseMonth(addMonths(month, by));
  return (
    <ButtonLink
      to="/calendar"
      search={{ month: to ?? month }}
      variant="default"
      aria-label={label}
      aria-disabled={to === undefined || undefined}
    >
      <span className={by < 0 ? classes.back : undefined}>
        <IconChevron />
      </span>
    </ButtonLink>
  );
}
