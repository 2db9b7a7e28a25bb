import { i18n } from "../i18n";

/** The language and time zone of this browser, as notice settings. */
export function browserClock() {
  return {
    language: i18n.language === "en" ? ("EN" as const) : ("RU" as const),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    quietHours: null,
  };
}
