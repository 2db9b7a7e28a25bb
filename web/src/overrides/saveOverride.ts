import type { ApolloClient } from "@apollo/client";
import type { ExpectedOverrideInput, SetOverrideInput } from "../api/schema.generated";
import type { Part } from "../dates/parts";
import { setOverride, setOverrides, type Together } from "./changeOverrides";
import type { Ends } from "./ends";
import { idsOf, limitsOfOverride, type Override, partIdOf, placeInput, type Target } from "./overrides";

/** The saved override, the override that undo restores, and the other overrides of the same request. */
export interface Saved {
  set: Override | undefined;
  before: Override | undefined;
  together?: {
    /** Parts whose ends were moved. */
    parts: readonly Part[];
    changes: readonly Together[];
    set: readonly (Override | undefined)[];
  };
}

interface Extension {
  courseId: string;
  target: Target;
  part: Part;
  /** The typed values, and the override that they were typed for. */
  limits: Partial<SetOverrideInput>;
  read: Override | undefined;
  /** The time zone of the course when the values were typed. */
  timeZone: string | null;
  /** The ends that are moved to the deadline; null moves none. */
  ends: Ends | null;
  /** All parts of the course. */
  parts: readonly Part[];
  /** Returns the stored override of a part for the same target. */
  storedAt: (partId: string) => Override | undefined;
}

const expectedOf = (read: Override | undefined): ExpectedOverrideInput | null =>
  read ? limitsOfOverride(read) : null;

/** Sets an override and moves the ends before its deadline, in one transaction. */
export async function saveOverride(client: ApolloClient, extension: Extension): Promise<Saved> {
  const { courseId, target, part, limits, read, timeZone, ends, parts, storedAt } = extension;
  const place = placeInput(courseId, target, part);
  const common = { expectedTimeZone: timeZone };
  const late = new Set(ends?.earlierEnds.map((end) => partIdOf(end, courseId)));
  const moved = parts.filter(({ id }) => late.has(id));
  if (moved.length === 0) {
    const set = await setOverride(client, { ...place, ...limits, expected: expectedOf(read), ...common });
    return { set, before: read };
  }
  const until = { availableUntil: ends?.deadline ?? null };
  const own: Together = {
    input: { ...idsOf(place), ...limits, ...(late.has(part.id) && until), expected: expectedOf(read) },
    before: read,
  };
  const above = moved.filter(({ id }) => id !== part.id);
  const changes = [
    own,
    ...above.map((one): Together => {
      const before = storedAt(one.id);
      const expected = expectedOf(before);
      return {
        input: { ...idsOf(placeInput(courseId, target, one)), ...expected, ...until, expected },
        before,
      };
    }),
  ];
  const overrides = changes.map(({ input }) => input);
  const set = await setOverrides(client, { ...whomOf(courseId, target), overrides, ...common });
  return { set: set[0], before: read, together: { parts: moved, changes, set } };
}

/** Returns the group or student of overrides as the input of the server. */
export const whomOf = (courseId: string, target: Target) => ({
  courseId,
  ...(target.kind === "group" ? { groupId: target.id } : { enrollmentId: target.id }),
});
