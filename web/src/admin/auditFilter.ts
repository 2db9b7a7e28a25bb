import { isAuditKind } from "./auditKinds";
import type { AuditFilter } from "./tabs";

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns local midnight of a day such as 2026-11-21, plus a number of days; undefined for an invalid date. */
export function midnight(day: unknown, later = 0): Date | undefined {
  if (typeof day !== "string" || !DAY.test(day)) return undefined;
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const at = new Date(year, month - 1, date);
  // `Date` turns 31 February into a day of March.
  if (at.getFullYear() !== year || at.getMonth() !== month - 1 || at.getDate() !== date) return undefined;
  at.setDate(date + later);
  return at;
}

/** Reads the log filter from the search parameters and ignores invalid values. */
export function auditFilter({ kind, person, from, to }: Record<string, unknown>): AuditFilter {
  return {
    ...(isAuditKind(kind) && { kind }),
    ...(typeof person === "string" && ID.test(person) && { person }),
    ...(midnight(from) && { from: from as string }),
    ...(midnight(to) && { to: to as string }),
  };
}
