import { localOf } from "../i18n/formatDateTime";
import type { Override } from "../overrides/overrides";
import { fieldOf, type Part } from "./parts";
import { datedFields, type Edit } from "./setDates";
import { daysBetween, type Local, sentOf, shifted } from "./typed";

/** What moves with a shift: the parts and overrides that have dates. The server moves them. */
export function shiftsOf(parts: readonly Part[], overrides: readonly Override[] = []): Edit[] {
  const edits = [
    ...parts.map((part): Edit => ({ part, changes: {}, read: part.item })),
    ...overrides.map((one): Edit => ({ part: { kind: "override", id: one.id }, changes: {}, read: one })),
  ];
  return edits.filter((edit) => datedFields(edit).length > 0);
}

/** Returns the days by which the first date of the parts has to move to be on a day; null without dates. */
export function daysToStart(parts: readonly Part[], start: Local, zone: string): number | null {
  const first = shiftsOf(parts)
    .flatMap((edit) =>
      datedFields(edit).map((field) => String((edit.read as Record<string, unknown>)[field])),
    )
    .sort((one, other) => Date.parse(one) - Date.parse(other))[0];
  return first === undefined ? null : daysBetween(localOf(first, zone), start);
}

/** Sets the due dates of the parts one after another: the first one to `first`, each further one `step` days later. */
export function seriesOf(parts: readonly Part[], first: Local, step: number, zone: string): Edit[] {
  return parts
    .filter((part) => fieldOf(part, "due") !== null)
    .map((part, at) => ({
      part,
      changes: { dueAt: sentOf(shifted(first, at * step), zone) },
      read: part.item,
    }));
}
