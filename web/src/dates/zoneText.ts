import type { TFunction } from "i18next";
import { isKnownZone, offsetOf } from "../i18n/formatDateTime";

/** Returns what a screen says of the zone of its times: that of the course, or UTC if the browser does not know it. */
export function zoneText(
  key: "dates.dialog.zone" | "dates.table.zone",
  zone: string,
  now: Date,
  t: TFunction,
): string {
  return isKnownZone(zone)
    ? t(key, { zone, offset: offsetOf(now.toISOString(), zone) })
    : t("dates.unknownZone", { zone });
}
