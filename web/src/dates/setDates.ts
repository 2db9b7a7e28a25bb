import type { ApolloCache, ApolloClient } from "@apollo/client";
import { ApiError, GRAPHQL_URL } from "../api/apiError";
import type { PartDatesInput } from "../api/schema.generated";
import { localOf } from "../i18n/formatDateTime";
import { type PartDatesFragment, SetDatesDocument } from "./CourseDates.generated";
import { type Changes, type Part, reloadDates } from "./parts";
import { instantOf, isLocal, shifted } from "./typed";

/** A part of a course, or an override. */
export interface Dated {
  kind: Part["kind"] | "override";
  id: string;
}

/** New dates of a part or an override. */
export interface Edit {
  part: Dated;
  /** Empty for what only moves with a shift. */
  changes: Changes;
  /** The fields as they were read: what the change is based on. */
  read: object;
}

const OF_PART = ["availableFrom", "availableUntil", "dueAt"] as const;

/** The server's names of the dates of each kind. */
const FIELDS = {
  course: ["startsAt", "endsAt", "enrollUntil"],
  module: OF_PART,
  lesson: OF_PART,
  page: [...OF_PART, "lateUntil"],
  override: [...OF_PART, "lateUntil"],
} as const satisfies Record<Dated["kind"], readonly (keyof PartDatesFragment)[]>;
export type DateName = (typeof FIELDS)[Dated["kind"]][number];

const TYPES = {
  course: "Course",
  module: "Module",
  lesson: "Lesson",
  page: "Page",
  override: "ScheduleOverride",
} as const;

const KEYS = { module: "moduleId", lesson: "lessonId", page: "pageId", override: "overrideId" } as const;

const dateIn = (read: object, field: string): string | null =>
  (read as Record<string, string | null | undefined>)[field] ?? null;

/** Returns the names of the dates that a part or an override has. */
export const datedFields = ({ part, read }: Pick<Edit, "part" | "read">): DateName[] =>
  FIELDS[part.kind].filter((field) => dateIn(read, field) !== null);

/** A date that is not the one that was read. */
export interface Difference {
  part: Dated;
  field: DateName;
  read: string | null;
  stored: string | null;
}

/** Somebody else has changed dates meanwhile. Nothing was changed. */
export class DatesConflict extends ApiError {
  readonly differences: readonly Difference[];

  constructor(message: string, differences: readonly Difference[]) {
    super({ url: GRAPHQL_URL, status: 409, statusText: "Conflict", body: { detail: message } });
    this.name = "DatesConflict";
    this.differences = differences;
  }
}

/**
 * Makes all edits, or none; with `days`, what they name moves by days of the course's zone. The screen shows the new dates at once. Returns the
 * edits that put the earlier dates back. Rejects with {@link DatesConflict} if somebody else has changed one of the dates or the zone: the
 * screen then shows what is stored, as it does when something was deleted.
 */
export async function setDates(
  client: ApolloClient,
  courseId: string,
  edits: readonly Edit[],
  zone: string,
  days?: number,
): Promise<Edit[]> {
  const names = ({ part, changes }: Edit): readonly DateName[] =>
    FIELDS[part.kind].filter((field) => days !== undefined || field in changes);
  const entries = edits.map((edit): PartDatesInput => {
    const read = Object.fromEntries(names(edit).map((field) => [field, dateIn(edit.read, field)]));
    const isZoned = days !== undefined || Object.values(edit.changes).some(isLocal);
    const expectedDates = { ...read, ...(isZoned && { timeZone: zone }) };
    return { ...idOf(edit.part), ...edit.changes, expectedDates };
  });
  const optimisticResponse = {
    setDates: {
      __typename: "SetDatesPayload",
      dates: edits.map((edit) => ({ __typename: "PartDates", ...awaited(edit, zone, days ?? 0) })),
      conflict: null,
    },
  };
  const mutation = client.mutate({
    mutation: SetDatesDocument,
    variables: { input: { courseId, dates: entries, shiftDays: days ?? null } },
    optimisticResponse,
    update: (cache, { data }) => {
      const { dates, conflict } = data?.setDates ?? {};
      for (const stored of dates ?? conflict?.changed ?? []) write(cache, courseId, stored);
    },
  });
  const { data } = await mutation.catch((error: unknown) => {
    // A part of the screen may have been deleted meanwhile.
    if (ApiError.from(error).status === 422) reloadDates(client);
    throw error;
  });
  const { dates, conflict } = data?.setDates ?? {};
  const byId = new Map(
    (dates ?? conflict?.changed ?? []).map((stored) => [partOf(stored, courseId).id, stored]),
  );
  if (conflict) {
    const differences = edits.flatMap((edit) => {
      const stored = byId.get(edit.part.id);
      if (!stored) return [];
      return names(edit).flatMap((field): Difference[] => {
        const [read, now] = [dateIn(edit.read, field), stored[field]];
        return read === now ? [] : [{ part: edit.part, field, read, stored: now }];
      });
    });
    // The zone of the course has changed.
    if (differences.length === 0) reloadDates(client);
    throw new DatesConflict(conflict.message, differences);
  }
  return edits.map((edit) => {
    const changed = days === undefined ? names(edit) : datedFields(edit);
    const changes = Object.fromEntries(changed.map((field) => [field, dateIn(edit.read, field)]));
    return { part: edit.part, changes, read: byId.get(edit.part.id) ?? {} };
  });
}

const idOf = ({ kind, id }: Dated): PartDatesInput => (kind === "course" ? {} : { [KEYS[kind]]: id });

function partOf(dates: PartDatesFragment, courseId: string): Dated {
  for (const kind of ["module", "lesson", "page", "override"] as const) {
    const id = dates[KEYS[kind]];
    if (id !== null) return { kind, id };
  }
  return { kind: "course", id: courseId };
}

/** The dates that the server is expected to store. It decides: these are shown until it has answered. */
function awaited(edit: Edit, zone: string, days: number): PartDatesFragment {
  const none = {
    moduleId: null,
    lessonId: null,
    pageId: null,
    overrideId: null,
    startsAt: null,
    endsAt: null,
    enrollUntil: null,
    availableFrom: null,
    availableUntil: null,
    dueAt: null,
    lateUntil: null,
  };
  const dates = FIELDS[edit.part.kind].map((field) => {
    const sent = field in edit.changes ? edit.changes[field] : dateIn(edit.read, field);
    return [field, sent == null ? null : moved(momentOf(String(sent), field, zone), zone, days)];
  });
  return { ...none, ...idOf(edit.part), ...Object.fromEntries(dates) };
}

const OPENING: readonly string[] = ["startsAt", "availableFrom"];

/** The moment of a date as it is sent: with an offset, as a local time or as a day. */
function momentOf(sent: string, field: string, zone: string): string {
  if (/(Z|[+-]\d\d:\d\d)$/.test(sent)) return sent;
  const local = sent.includes("T") || OPENING.includes(field) ? sent : `${sent}T23:59`;
  return instantOf(local, zone).toISOString();
}

const moved = (at: string, zone: string, days: number): string =>
  days === 0 ? at : instantOf(shifted(localOf(at, zone), days), zone).toISOString();

/** Puts stored dates into the cache. */
function write(cache: ApolloCache, courseId: string, dates: PartDatesFragment) {
  const { kind, id } = partOf(dates, courseId);
  const fields = FIELDS[kind].map((field) => [field, () => dates[field]]);
  const key = cache.identify({ __typename: TYPES[kind], id });
  if (key) cache.modify({ id: key, fields: Object.fromEntries(fields) });
}
