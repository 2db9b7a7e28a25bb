import type { ApolloCache, ApolloClient } from "@apollo/client";
import { ApiError, GRAPHQL_URL } from "../api/apiError";
import type { SetOverrideInput } from "../api/schema.generated";
import { toastSaved } from "../dates/toastSaved";
import { hideItems, showItems } from "../ui/hiddenItems";
import { undoable } from "../ui/undo";
import { CourseOverridesDocument, DeleteOverrideDocument, SetOverrideDocument } from "./Overrides.generated";
import { inputOf, limitsOfOverride, type Override, placeKey } from "./overrides";

/** What finishes each deletion that waits for its toast to go or is under way, by the place of the override. */
const deletions = new Map<string, () => Promise<void>>();

/** The refusal of a change of an override that somebody else has changed since it was read. */
export class OverrideConflict extends ApiError {
  /** What is stored; null without an override. */
  readonly stored: Override | null;

  constructor(message: string, stored: Override | null) {
    super({ url: GRAPHQL_URL, status: 409, statusText: "Conflict", body: { detail: message } });
    this.stored = stored;
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
  if (conflict) throw new OverrideConflict(conflict.message, conflict.scheduleOverride);
  if (set) showItems([set.id]);
  return set ?? undefined;
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
