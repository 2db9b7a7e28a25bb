import type { ApolloClient } from "@apollo/client";
import { localOf } from "../i18n/formatDateTime";
import { type Changes, COLUMNS, changePart, fieldOf, type Part, valuesBefore } from "./parts";
import { daysBetween, type Local, sentOf, shifted } from "./typed";

/** New dates of a part, and those before. */
export interface Shift {
  part: Part;
  changes: Changes;
  before: Changes;
  /** The fields of the part as they are stored before the change. */
  read: object;
}

/** The names of all dates of a part. */
function fieldsOf(part: Part): string[] {
  const fields = COLUMNS.flatMap((column) => fieldOf(part, column) ?? []);
  return part.kind === "course" ? [...fields, "enrollUntil"] : fields;
}

/** The own dates of a part by their names. */
function datesOf(part: Part): [string, string][] {
  const values = part.item as unknown as Record<string, string | null>;
  return fieldsOf(part).flatMap((field): [string, string][] => {
    const at = values[field];
    return at ? [[field, at]] : [];
  });
}

/** Moves all dates of the parts by days of the zone, so that the time of day stays. Parts without dates are left out. */
export function shiftsOf(parts: readonly Part[], days: number, zone: string): Shift[] {
  return parts.flatMap((part) => {
    const dates = datesOf(part);
    if (dates.length === 0) return [];
    const changes = Object.fromEntries(
      dates.map(([field, at]) => [field, sentOf(shifted(localOf(at, zone), days), zone)]),
    );
    return { part, changes, before: valuesBefore(part.item, changes), read: part.item };
  });
}

/** Returns the days by which the first date of the parts has to move to be on a day; null without dates. */
export function daysToStart(parts: readonly Part[], start: Local, zone: string): number | null {
  const first = parts
    .flatMap(datesOf)
    .map(([, at]) => at)
    .sort((one, other) => Date.parse(one) - Date.parse(other))[0];
  return first === undefined ? null : daysBetween(localOf(first, zone), start);
}

/** Sets the due dates of the parts one after another: the first one to `first`, each further one `step` days later. */
export function seriesOf(parts: readonly Part[], first: Local, step: number, zone: string): Shift[] {
  return parts
    .filter((part) => fieldOf(part, "due") !== null)
    .map((part, at) => {
      const changes = { dueAt: sentOf(shifted(first, at * step), zone) };
      return { part, changes, before: valuesBefore(part.item, changes), read: part.item };
    });
}

/** At most so many calls at the same time. */
const AT_ONCE = 4;

/**
 * Makes all changes, also when one of them fails. Returns those that were made, each with the fields as they are stored now, and those that
 * failed, with the reasons.
 */
export async function applyAll(
  client: ApolloClient,
  shifts: readonly Shift[],
): Promise<{ done: Shift[]; failed: { shift: Shift; reason: unknown }[] }> {
  const done: Shift[] = [];
  const failed: { shift: Shift; reason: unknown }[] = [];
  for (let from = 0; from < shifts.length; from += AT_ONCE) {
    const group = shifts.slice(from, from + AT_ONCE);
    const results = await Promise.allSettled(
      group.map(({ part, changes, read }) => changePart(client, part, changes, read)),
    );
    results.forEach((result, at) => {
      const shift = group[at];
      if (!shift) return;
      if (result.status === "fulfilled") done.push({ ...shift, read: result.value });
      else failed.push({ shift, reason: result.reason });
    });
  }
  return { done, failed };
}

/** Puts back what the parts had before the changes. Rejects with the first failure. */
export async function undoAll(client: ApolloClient, done: readonly Shift[]): Promise<void> {
  const back = done.map(({ part, changes, before, read }) => ({
    part,
    changes: before,
    before: changes,
    read,
  }));
  const { failed } = await applyAll(client, back);
  if (failed[0]) throw failed[0].reason;
}
