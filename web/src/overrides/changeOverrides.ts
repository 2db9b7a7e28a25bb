import type { ApolloCache, ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import type { SetOverrideInput } from "../api/schema.generated";
import { toastSaved } from "../dates/toastSaved";
import { hideItems, showItems } from "../ui/hiddenItems";
import { undoable } from "../ui/undo";
import { CourseOverridesDocument, DeleteOverrideDocument, SetOverrideDocument } from "./Overrides.generated";
import { inputOf, type Override, placeKey } from "./overrides";

/** What finishes each deletion that waits for its toast to go or is under way, by the place of the override. */
const deletions = new Map<string, () => Promise<void>>();

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

/**
 * Sets an override. Rejects with the server's refusal. A waiting deletion of the same one is made before, because the server would keep
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
      const set = data?.setOverride.scheduleOverride;
      if (!set) return;
      changeList(cache, input.courseId, (all) =>
        all.some(({ id }) => id === set.id) ? [...all] : [...all, set],
      );
    },
  });
  const set = data?.setOverride.scheduleOverride;
  if (set) showItems([set.id]);
  return set;
}

async function deleteOverride(client: ApolloClient, courseId: string, id: string, leaving = false) {
  try {
    await client.mutate({
      mutation: DeleteOverrideDocument,
      variables: { input: { overrideId: id } },
      context: { fetchOptions: { keepalive: leaving } },
    });
  } catch (error) {
    // It was already deleted elsewhere.
    if (ApiError.from(error).status !== 404) throw error;
  }
  changeList(client.cache, courseId, (all) => all.filter((one) => one.id !== id));
}

/** Tells that an override is set; «Отменить» restores the one that it has replaced, or deletes it. */
export function toastSet(
  client: ApolloClient,
  courseId: string,
  set: Override | undefined,
  before: Override | undefined,
  text: string,
) {
  toastSaved(async () => {
    if (before) await setOverride(client, inputOf(before, courseId));
    else if (set) await deleteOverride(client, courseId, set.id);
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
      const deleting = deleteOverride(client, courseId, id, leaving);
      deletions.set(place, () => deleting.catch(() => undefined));
      await deleting.finally(() => deletions.delete(place));
    },
  });
  deletions.set(place, settle);
}
