import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import { takesAttempts } from "../course/takesAttempts";
import {
  CourseDatesDocument,
  type CourseDatesQuery,
  SetCourseDatesDocument,
  SetLessonDatesDocument,
  SetModuleDatesDocument,
  SetPageDatesDocument,
} from "./CourseDates.generated";
import { isLocal, parseTyped, sentOf } from "./typed";

export type Course = CourseDatesQuery["course"];
type Module = Course["modules"][number];
type Lesson = Module["lessons"][number];
type Page = Lesson["pages"][number];

/** The dates that every part has, in the order of the screens. */
export const COLUMNS = ["opens", "due", "late", "closes"] as const;
export type Column = (typeof COLUMNS)[number];

/** A part of a course with its own dates. */
export type Part = {
  id: string;
  /** Its parts above, from the course down. */
  above: readonly Part[];
  /** Among its siblings, from 1. */
  number: number;
} & (
  | { kind: "course"; item: Course }
  | { kind: "module"; item: Module }
  | { kind: "lesson"; item: Lesson }
  | { kind: "page"; item: Page }
);

/** Returns the course and all its parts, in document order. */
export function partsOf(course: Course): Part[] {
  const root: Part = { kind: "course", id: course.id, item: course, above: [], number: 1 };
  return [
    root,
    ...course.modules.flatMap((module, at): Part[] => {
      const top: Part = { kind: "module", id: module.id, item: module, above: [root], number: at + 1 };
      return [
        top,
        ...module.lessons.flatMap((lesson, at): Part[] => {
          const middle: Part = {
            kind: "lesson",
            id: lesson.id,
            item: lesson,
            above: [root, top],
            number: at + 1,
          };
          const above = [root, top, middle];
          return [
            middle,
            ...lesson.pages.map(
              (page, at): Part => ({ kind: "page", id: page.id, item: page, above, number: at + 1 }),
            ),
          ];
        }),
      ];
    }),
  ];
}

/** Returns the server's name of a date of this part; null for one that it does not have. */
export function fieldOf(part: Part, column: Column): string | null {
  if (part.kind === "course") return { opens: "startsAt", closes: "endsAt", due: null, late: null }[column];
  if (column === "late") return part.kind === "page" && takesAttempts(part.item.kind) ? "lateUntil" : null;
  return { opens: "availableFrom", due: "dueAt", closes: "availableUntil" }[column];
}

/** Returns the part's own date; null without one. */
export function dateOf(part: Part, column: Column): string | null {
  const field = fieldOf(part, column);
  return field === null ? null : ((part.item as unknown as Record<string, string | null>)[field] ?? null);
}

/** Changed fields with their new values as the server takes them; null clears a field. */
export type Changes = Record<string, string | number | boolean | null | readonly string[]>;

/** The fields that a change names as they were read, as the server knows them. */
const EXPECTED_FIELDS = [
  "startsAt",
  "endsAt",
  "enrollUntil",
  "availableFrom",
  "availableUntil",
  "dueAt",
  "lateUntil",
  "latePenaltyPerDay",
  "latePenaltyMax",
  "timeZone",
  "hideLockedTitles",
  "sequential",
] as const;

/** Reads the dates on the screen again. */
export function reloadDates(client: ApolloClient) {
  void client.refetchQueries({ include: [CourseDatesDocument] }).catch(() => undefined);
}

/**
 * Changes fields of a part that had the values of `read`; local times are meant in `zone`. Returns the fields as they are stored then. Rejects
 * with the server's refusal, also when someone else has changed one of the fields or the zone since: those on the screen are then read again.
 */
export async function changePart(
  client: ApolloClient,
  { kind, id }: Pick<Part, "kind" | "id">,
  changes: Changes,
  read: object,
  zone?: string,
): Promise<object> {
  const values = read as Record<string, Changes[string] | undefined>;
  const hasLocal = Object.values(changes).some(isLocal);
  const isNamed = (field: string) =>
    field in changes || (field === "timeZone" && kind === "course" && hasLocal);
  const fields = EXPECTED_FIELDS.filter((field) => isNamed(field) && values[field] !== undefined);
  const expectedDates = {
    ...Object.fromEntries(fields.map((field) => [field, values[field]])),
    ...(kind !== "course" && hasLocal && zone !== undefined && { timeZone: zone }),
  };
  const expected = {
    ...(Object.keys(expectedDates).length > 0 && { expectedDates }),
    ...("prerequisites" in changes &&
      values.prerequisites !== undefined && { expectedPrerequisites: values.prerequisites }),
  };
  try {
    return await send(client, kind, id, { ...changes, ...expected });
  } catch (error) {
    if (ApiError.from(error).status === 409) reloadDates(client);
    throw error;
  }
}

async function send(
  client: ApolloClient,
  kind: Part["kind"],
  id: string,
  input: Record<string, unknown>,
): Promise<object> {
  switch (kind) {
    case "course": {
      const variables = { input: { courseId: id, ...input } };
      const { data } = await client.mutate({ mutation: SetCourseDatesDocument, variables });
      return data?.updateCourse.course ?? {};
    }
    case "module": {
      const variables = { input: { moduleId: id, ...input } };
      const { data } = await client.mutate({ mutation: SetModuleDatesDocument, variables });
      return data?.updateModule.module ?? {};
    }
    case "lesson": {
      const variables = { input: { lessonId: id, ...input } };
      const { data } = await client.mutate({ mutation: SetLessonDatesDocument, variables });
      return data?.updateLesson.lesson ?? {};
    }
    case "page": {
      const variables = { input: { pageId: id, ...input } };
      const { data } = await client.mutate({ mutation: SetPageDatesDocument, variables });
      return data?.updatePage.page ?? {};
    }
  }
}

/**
 * Returns the date fields whose text was changed, as the server takes them. The texts are in the time of `zone` and readable: the form's
 * rule has checked them.
 */
export function typedChanges<Name extends string>(
  names: readonly Name[],
  typed: Record<Name, string>,
  before: Record<Name, string>,
  now: Date,
  zone: string,
): Changes {
  const changed = names.filter((name) => {
    const was = parseTyped(before[name], now);
    // The same time in another form changes nothing: a stored date keeps its seconds.
    return typed[name].trim() !== before[name] && (was === null || parseTyped(typed[name], now) !== was);
  });
  return Object.fromEntries(
    changed.map((name) => {
      const local = parseTyped(typed[name], now);
      return [name, local && sentOf(local, zone)];
    }),
  );
}

/** Returns the values that the changed fields had, to undo the change. */
export function valuesBefore(item: object, changes: Changes): Changes {
  const values = item as Record<string, Changes[string] | undefined>;
  return Object.fromEntries(Object.keys(changes).map((field) => [field, values[field] ?? null]));
}
