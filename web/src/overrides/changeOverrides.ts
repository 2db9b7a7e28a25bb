import type { ApolloCache, ApolloClient } from "@apollo/client";
import { ApiError, GRAPHQL_URL } from "../api/apiError";
import type { OverrideEntryInput, SetOverrideInput, SetOverridesInput } from "../api/schema.generated";
import { toastSaved } from "../dates/toastSaved";
import { hideItems, showItems } from "../ui/hiddenItems";
import { undoable } from "../ui/undo";
import {
  CourseOverridesDocument,
  DeleteOverrideDocument,
  SetOverrideDocument,
  SetOverridesDocument,
} from "./Overrides.generated";
import { idsOf, inputOf, limitsOfOverride, type Override, partIdOf, placeKey } from "./overrides";

/** What finishes each deletion that waits for its toast to go or is under way, by the place of the override. */
const deletions = new Map<string, () => Promise<void>>();

/** The change was rejected: the stored override has changed since it was read, or the times were typed in another time zone. */
export class OverrideConflict extends ApiError {
  /** The stored override; null if there is none, undefined if it has not changed since it was read. */
  readonly stored: Override | null | undefined;
  /** The ids of the other parts in the same request whose overrides have changed. */
  readonly others: readonly string[];

  constructor(message: string, stored: Override | null | undefined, others: readonly string[] = []) {
    super({ url: GRAPHQL_URL, status: 409, statusText: "Conflict", body: { detail: message } });
    this.stored = stored;
    this.others = others;
  }
}

/** Changes the cached list of the overrides of a course. */
function changeList(
  cache: ApolloCache,
  courseId: string,
  change: (overrides: readonly Override[]) => Override[],
) {
  cache.updateQuery({ query: CourseOverridesDocument, variables: { courseId } }, (data) => {
    if (!data) return data;
    const nodes = change(data.overrides.nodes);
    return { overrides: { ...data.overrides, nodes, totalCount: nodes.length } };
  });
}

/** Makes the cached list what is stored at the place of an override. */
function storeInList(cache: ApolloCache, courseId: string, place: string, stored: Override | null) {
  changeList(cache, courseId, (all) => {
    if (all.some(({ id }) => id === stored?.id)) return [...all];
    const left = all.filter((one) => placeKey(inputOf(one, courseId)) !== place);
    return stored ? [...left, stored] : left;
  });
}

/**
 * Sets an override. Rejects with the server's refusal, and with an `OverrideConflict` if the input expects another override than the stored
 * one: the list then has what is stored. A waiting deletion of the same one is made before, because the server would keep
 * its id, and the deletion would take the new one.
 */
export async function setOverride(
  client: ApolloClient,
  input: SetOverrideInput,
): Promise<Override | undefined> {
  await deletions.get(placeKey(input))?.();
  const { data } = await client.mutate({
    mutation: SetOverrideDocument,
    variables: { input },
    update: (cache, { data }) => {
      const { scheduleOverride, conflict } = data?.setOverride ?? {};
      const stored = scheduleOverride ?? conflict?.scheduleOverride ?? null;
      if (stored || conflict) storeInList(cache, input.courseId, placeKey(input), stored);
    },
  });
  const { scheduleOverride: set, conflict } = data?.setOverride ?? {};
  if (conflict) throw new OverrideConflict(conflict.message, changedFrom(input, conflict.scheduleOverride));
  if (set) showItems([set.id]);
  return set ?? undefined;
}

/** Returns the stored override, or undefined if it matches the expected one: then something else caused the conflict. */
function changedFrom({ expected }: Pick<SetOverrideInput, "expected">, stored: Override | null) {
  const read = stored && limitsOfOverride(stored);
  return expected !== undefined && JSON.stringify(read) === JSON.stringify(expected) ? undefined : stored;
}

/** One of several overrides that are set together, and the override that it replaces. */
export interface Together {
  input: OverrideEntryInput;
  before: Override | undefined;
}

/**
 * Sets the overrides of several parts for one student or group in one transaction and returns them in the same order. Rejects with the errors
 * of `setOverride`; a conflict contains the stored override of the first part, and names the other parts with conflicts.
 */
export async function setOverrides(
  client: ApolloClient,
  input: SetOverridesInput,
): Promise<(Override | undefined)[]> {
  const { courseId, groupId, enrollmentId } = input;
  const whom = groupId ? { groupId } : { enrollmentId };
  const placeOf = (part: OverrideEntryInput) => placeKey({ courseId, ...whom, ...idsOf(part) });
  for (const entry of input.overrides) await deletions.get(placeOf(entry))?.();
  const { data } = await client.mutate({
    mutation: SetOverridesDocument,
    variables: { input },
    update: (cache, { data }) => {
      const { scheduleOverrides, conflict } = data?.setOverrides ?? {};
      for (const { scheduleOverride, ...part } of conflict?.changed ?? [])
        storeInList(cache, courseId, placeOf(part), scheduleOverride);
      scheduleOverrides?.forEach((stored, at) => {
        const entry = input.overrides[at];
        if (entry) storeInList(cache, courseId, placeOf(entry), stored);
      });
    },
  });
  const { scheduleOverrides, conflict } = data?.setOverrides ?? {};
  if (conflict) {
    const first = placeOf(input.overrides[0] ?? {});
    const stored = conflict.changed.find((part) => placeOf(part) === first);
    const others = conflict.changed.filter((part) => part !== stored).map((part) => partIdOf(part, courseId));
    throw new OverrideConflict(conflict.message, stored?.scheduleOverride, others);
  }
  const set = (scheduleOverrides ?? []).map((one) => one ?? undefined);
  showItems(set.flatMap((one) => one?.id ?? []));
  return set;
}

/** Shows a toast for several overrides; «Отменить» restores all previous ones, or none if somebody else has changed one of them. */
export function toastSetTogether(
  client: ApolloClient,
  whom: Pick<SetOverridesInput, "courseId" | "groupId" | "enrollmentId">,
  changes: readonly Together[],
  set: readonly (Override | undefined)[],
  text: string,
) {
  const overrides = changes.map(({ input, before }, at): OverrideEntryInput => {
    const now = set[at];
    const expected = now ? limitsOfOverride(now) : null;
    return { ...idsOf(input), ...(before && limitsOfOverride(before)), expected };
  });
  toastSaved(() => setOverrides(client, { ...whom, overrides }), text);
}

/** Deletes an override as it was read. Rejects with an `OverrideConflict` if somebody else has changed it since. */
async function deleteOverride(client: ApolloClient, courseId: string, override: Override, leaving = false) {
  const { id } = override;
  try {
    const { data } = await client.mutate({
      mutation: DeleteOverrideDocument,
      variables: { input: { overrideId: id, expected: limitsOfOverride(override) } },
      context: { fetchOptions: { keepalive: leaving } },
    });
    const conflict = data?.deleteOverride.conflict;
    if (conflict) throw new OverrideConflict(conflict.message, conflict.scheduleOverride);
  } catch (error) {
    // It was already deleted elsewhere.
    if (ApiError.from(error).status !== 404) throw error;
  }
  changeList(client.cache, courseId, (all) => all.filter((one) => one.id !== id));
}

/**
 * Tells that an override is set; «Отменить» restores the one that was there before, or deletes it if there was none. It changes only what was
 * saved here: if somebody else has changed the override since, that stays, and a toast says so.
 */
export function toastSet(
  client: ApolloClient,
  courseId: string,
  set: Override | undefined,
  before: Override | undefined,
  text: string,
) {
  toastSaved(async () => {
    if (!set) return;
    const expected = limitsOfOverride(set);
    if (before) await setOverride(client, { ...inputOf(before, courseId), expected });
    else await deleteOverride(client, courseId, set);
  }, text);
}

/** Hides an override at once and deletes it when its toast has gone. */
export function removeOverride(client: ApolloClient, courseId: string, override: Override, text: string) {
  const { id } = override;
  const place = placeKey(inputOf(override, courseId));
  hideItems([id]);
  const settle = undoable({
    text,
    undo: () => {
      deletions.delete(place);
      showItems([id]);
    },
    commit: async (leaving) => {
      const deleting = deleteOverride(client, courseId, override, leaving);
      deletions.set(place, () => deleting.catch(() => undefined));
      await deleting.finally(() => deletions.delete(place));
    },
  });
  deletions.set(place, settle);
}
