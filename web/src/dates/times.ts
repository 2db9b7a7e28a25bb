import type { TFunction } from "i18next";
import type { TimesFragment } from "../course/Times.generated";
import { isKnownZone, type Moment, momentOf, offsetOf } from "../i18n/formatDateTime";
import { overdueMs } from "./overdue";

export type Times = TimesFragment;

/** What a learner is told of the times of a part. */
export type Fact =
  | { told: "opens" | "closed" | "due" | "overdue"; at: string }
  | { told: "never"; at: null }
  /** The titles of what must be completed first. */
  | { told: "needs"; at: null; titles: readonly string[] };

/**
 * Returns the facts to display about the dates of a part. The server's `state` alone decides whether the part is open and accepts attempts.
 * Facts already shown for the parent are omitted, and a completed part is never overdue.
 */
export function factsOf(part: Times, above: Times | null, isDone: boolean, now: Date): Fact[] {
  const facts: Fact[] = [];
  if (part.state === "LOCKED") {
    const isNew = (field: "opensAt" | "needs") =>
      above?.state !== "LOCKED" || String(above[field]) !== String(part[field]);
    if (part.opensAt && isNew("opensAt")) facts.push({ told: "opens", at: part.opensAt });
    if (part.needs.length > 0 && isNew("needs")) facts.push({ told: "needs", at: null, titles: part.needs });
    if (!part.opensAt && part.needs.length === 0 && isNew("opensAt")) facts.push({ told: "never", at: null });
  }
  const isClosed = part.state === "CLOSED";
  if (isClosed && part.closesAt && above?.closesAt !== part.closesAt)
    facts.push({ told: "closed", at: part.closesAt });
  // After the end the due date says nothing new.
  else if (part.dueAt && above?.dueAt !== part.dueAt && !(isClosed && isDone))
    facts.push({ told: !isDone && overdueMs(part.dueAt, now) > 0 ? "overdue" : "due", at: part.dueAt });
  return facts;
}

/** Returns the sentence of a fact: «до 5 декабря, 23:59». */
export function factText(fact: Fact, now: Date, language: string, t: TFunction): string {
  if (fact.told === "needs") return needsText(fact.titles, language, t);
  if (fact.told === "never") return t("dates.never");
  const { told, at } = fact;
  const moment = momentOf(at, now, language);
  if (told === "due" && moment.daysAhead === 0) return t("dates.dueToday", { ...moment });
  if (told === "due" && moment.daysAhead === 1) return t("dates.dueTomorrow", { ...moment });
  return t(`dates.${told}`, { ...moment });
}

/** Returns what must be completed first: «Сначала пройдите: «Переменные» и «Типы»». */
export function needsText(titles: readonly string[], language: string, t: TFunction): string {
  const quoted = titles.map((title) => t("dates.locked.title", { title }));
  return t("dates.locked.needs", { titles: new Intl.ListFormat(language).format(quoted) });
}

/** Returns the time in the zone of the course: «5 декабря, 21:59 по времени курса, GMT+3». Null where it is the same. */
export function courseTime(
  at: string | null,
  zone: string | null,
  now: Date,
  language: string,
  t: TFunction,
): string | null {
  if (at === null || zone === null || !isKnownZone(zone)) return null;
  const same = (one: Moment, other: Moment) => one.day === other.day && one.time === other.time;
  const there = momentOf(at, now, language, zone);
  if (same(there, momentOf(at, now, language))) return null;
  return t("dates.inCourse", { ...there, zone: offsetOf(at, zone) });
}

/** Returns what to say of a course that is not open: when it opens, or that it has ended. */
export function courseText(
  course: Times,
  zone: string | null,
  now: Date,
  language: string,
  t: TFunction,
): string {
  const at = course.state === "LOCKED" ? course.opensAt : course.closesAt;
  if (at === null) return t("dates.course.never");
  const there = courseTime(at, zone, now, language, t);
  return t(course.state === "LOCKED" ? "dates.course.opens" : "dates.course.over", {
    ...momentOf(at, now, language),
    there: there ? ` (${there})` : "",
  });
}

/** Returns the next moment at which one of these parts opens, as the server says; null when none will. */
export function nextOpening(parts: readonly Times[]): string | null {
  const ahead = parts.flatMap(({ state, opensAt }) => (state === "LOCKED" && opensAt ? opensAt : []));
  return ahead.sort((one, other) => Date.parse(one) - Date.parse(other))[0] ?? null;
}
