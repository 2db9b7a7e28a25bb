import type { TFunction } from "i18next";
import { zoneOf } from "../dates/typed";
import { momentOf } from "../i18n/formatDateTime";

/** When a scheduled announcement is published, in the zone of the course. */
export function scheduledText(
  publishAt: string,
  timeZone: string | null,
  now: Date,
  language: string,
  t: TFunction,
): string {
  // The job that publishes it has not run yet.
  if (new Date(publishAt) <= now) return t("learning.announcements.publishing");
  const there = momentOf(publishAt, now, language, zoneOf(timeZone));
  const here = momentOf(publishAt, now, language);
  const isSame = there.day === here.day && there.time === here.time;
  const { day, time } = there;
  return t(`learning.announcements.${isSame ? "scheduled" : "scheduledInCourse"}`, { day, time });
}
