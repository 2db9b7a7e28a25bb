import type { TFunction } from "i18next";
import { momentOf } from "../i18n/formatDateTime";
import { isAlone, type Notice, type Row } from "./grouping";
import { MANY } from "./state";

/** The maximum number of people who are named. */
const NAMED = 2;

/** The text of a row, without people and course. */
export function titleOf({ notices }: Row, t: TFunction): string {
  const [{ kind, page: place }] = notices;
  const page = place?.title ? t("notices.page", { title: place.title }) : t("notices.untitled");
  if (kind === "ANNOUNCEMENT") return t("notices.one.ANNOUNCEMENT", { title: notices[0].text ?? "" });
  if (notices.length === 1 || isAlone(kind)) return t(`notices.one.${kind}`, { page });
  return t(`notices.some.${kind}`, { page, count: notices.length });
}

/** What a teacher wrote to the user; null for other kinds. */
export const quotedText = ({ notices: [{ kind, text }] }: Row): string | null =>
  kind === "NUDGE" ? text : null;

/** The people, and the time of the newest event or of the deadline. */
export function factsOf({ notices }: Row, now: Date, language: string, t: TFunction): string[] {
  const [newest] = notices;
  const closes = newest.closesAt === null ? null : momentOf(newest.closesAt, now, language);
  return [
    ...(newest.kind === "INVITED" ? [t("notices.invitedHint")] : []),
    ...namesOf(notices, t),
    closes
      ? t("notices.closes", { day: closes.day, time: closes.time })
      : momentOf(newest.happenedAt, now, language).time,
  ];
}

/** The people behind notices, each once, newest first. A deleted account is not named. */
function namesOf(notices: readonly Notice[], t: TFunction): string[] {
  const people = new Map<string, string>();
  for (const { actor, learner } of notices) {
    const person = learner ?? actor;
    if (person) people.set(person.id, person.fullName || t("notices.nameless"));
  }
  const names = [...people.values()];
  if (names.length === 0) return [];
  const others = names.length - NAMED;
  const named = names.slice(0, NAMED).join(", ");
  return [others > 0 ? `${named} ${t("notices.others", { count: others })}` : named];
}

/** The heading of a day: today, yesterday, or its date. */
export function dayOf(at: string, now: Date, language: string, t: TFunction): string {
  const { day, daysAhead } = momentOf(at, now, language);
  if (daysAhead === 0) return t("notices.today");
  return daysAhead === -1 ? t("notices.yesterday") : day;
}

/** The number of unread notices as text, such as «больше 99». */
export const countText = (unread: number, t: TFunction): string =>
  unread < MANY ? String(unread) : t("notices.over", { count: MANY - 1 });

/** The same, shortened for the badge of the bell. */
export const badgeText = (unread: number, t: TFunction): string =>
  unread < MANY ? String(unread) : t("notices.badgeOver", { count: MANY - 1 });
