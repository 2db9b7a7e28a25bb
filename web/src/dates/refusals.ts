import type { TFunction } from "i18next";
import { ApiError } from "../api/apiError";
import { type Dated, type DateName, DatesConflict, type Edit } from "./setDates";
import { typedOf } from "./typed";

/** Why one date was not stored. */
export interface Refusal {
  part: Dated;
  /** Null for the part as a whole. */
  field: string | null;
  text: string;
}

/** Returns why the edits were refused, by their parts; empty if the reason is in no part. */
export function refusalsOf(
  error: unknown,
  edits: readonly Edit[],
  zone: string,
  language: string,
  t: TFunction,
): Refusal[] {
  if (error instanceof DatesConflict) {
    const shown = (at: string | null) => typedOf(at, zone, language) || t("dates.table.none");
    return error.differences.map(({ part, field, read, stored }) => ({
      part,
      field,
      text: t("dates.table.changedBy", { read: shown(read), stored: shown(stored) }),
    }));
  }
  return [...ApiError.from(error).fields].flatMap(([name, text]): Refusal[] => {
    const [, at, field = null] = /^dates\[(\d+)\](?:\.(\w+))?$/.exec(name) ?? [];
    const edit = at === undefined ? undefined : edits[Number(at)];
    return edit ? [{ part: edit.part, field, text }] : [];
  });
}

const COLUMN_KEYS = {
  startsAt: "dates.columns.opens",
  availableFrom: "dates.columns.opens",
  endsAt: "dates.columns.closes",
  availableUntil: "dates.columns.closes",
  dueAt: "dates.columns.due",
  lateUntil: "dates.columns.late",
  enrollUntil: "dates.settings.enrollUntil",
} as const satisfies Record<DateName, string>;

/** Returns a sentence for each refusal; `titleOf` names a part or an override. */
export function refusalTexts(
  refusals: readonly Refusal[],
  titleOf: (part: Dated) => string,
  t: TFunction,
): string[] {
  return refusals.map(({ part, field, text }) => {
    const column = field !== null && field in COLUMN_KEYS ? t(COLUMN_KEYS[field as DateName]) : null;
    const where = [titleOf(part), column && `«${column}»`].filter(Boolean).join(", ");
    return t("dates.table.refused", { where, text });
  });
}
