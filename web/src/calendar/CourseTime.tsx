import { useState } from "react";
import { isKnownZone, momentOf, offsetOf } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";

interface Props {
  /** The zone is that of the course; null for a course without one. */
  event: { at: string; timeZone: string | null };
}

/** The time of an event in the zone of its course: «18:00 по времени курса, GMT+10», with the day where it differs. Nothing where the clocks show the same. */
export default function CourseTime({ event: { at, timeZone } }: Props) {
  const { t, i18n } = useTranslation();
  const [now] = useState(() => new Date());
  if (timeZone === null || !isKnownZone(timeZone)) return null;
  const own = momentOf(at, now, i18n.language);
  const there = momentOf(at, now, i18n.language, timeZone);
  if (own.day === there.day && own.time === there.time) return null;
  const text = own.day === there.day ? "dates.inCourseThatDay" : "dates.inCourse";
  return <span style={{ color: "var(--k-dim)" }}>{t(text, { ...there, zone: offsetOf(at, timeZone) })}</span>;
}
