import { i18n } from "../i18n";

/** The language and the time zone of this browser, as settings of mails. */
export function browserClock() {
  return {
    language: i18n.language === "en" ? ("EN" as const) : ("RU" as const),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    quietHours: null,
  };
}
