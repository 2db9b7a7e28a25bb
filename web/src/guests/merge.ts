import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import { token } from "../api/session";
import { i18n, loadTexts } from "../i18n";
import { toastSuccess } from "../ui/toasts";
import { MergeGuestDocument } from "./Guests.generated";
import { claimGuest, forgetMerged, guestToMerge, subjectOf } from "./guestToken";

/** How long signing in waits for the merge, in milliseconds. A slower one goes on while the next screen is shown. */
const PATIENCE_MS = 5000;

let running: Promise<void> | null = null;

/**
 * Moves what a guest did in this browser to the account that has signed in, and says so. Forgets the guest when the server has answered; after
 * another failure the guest is kept for the next call. Tabs do it one after the other, so that only one of them finds a guest. Never rejects.
 */
export function mergeGuest(client: ApolloClient): Promise<void> {
  running ??= alone(() => merge(client))
    .catch(() => undefined)
    .finally(() => {
      running = null;
    });
  return running;
}

/** Merges after a guest has signed in, and forgets what the cache has of the guest. Never rejects. */
export async function mergeAfterSignIn(client: ApolloClient): Promise<void> {
  claimGuest();
  await client.clearStore().catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([mergeGuest(client), late]);
  clearTimeout(timer);
}

/** Browsers have locks on secure addresses only. Without them two tabs may merge at once, which is harmless. */
const alone = (work: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request("kurso-merge-guest", work) : work();

async function merge(client: ApolloClient): Promise<void> {
  claimGuest();
  const guest = guestToMerge();
  if (guest === null) return;
  const account = subjectOf(token());
  try {
    await loadTexts("join");
    const { data } = await client.mutate({
      mutation: MergeGuestDocument,
      variables: { input: { guestToken: guest } },
      fetchPolicy: "no-cache",
    });
    if (!data) return;
    forgetMerged(guest);
    const { courseIds, uncountedAttempts } = data.mergeGuest;
    // Another tab or an earlier call without an answer has merged the guest.
    if (courseIds.length === 0) return;
    moveUnsent(subjectOf(guest), account);
    toastSuccess(
      uncountedAttempts > 0
        ? i18n.t("join.guest.mergedBeyond", { count: uncountedAttempts })
        : i18n.t("join.guest.merged"),
    );
    showMerged(client, courseIds);
  } catch (failure) {
    // It is not the token of a guest any more.
    if ([400, 422].includes(ApiError.from(failure).status)) forgetMerged(guest);
  }
}

/** Gives the account the answers and texts that the guest has not sent; they are stored by the id of their author. */
function moveUnsent(guestId: string, accountId: string): void {
  if (!guestId || !accountId) return;
  for (const key of Object.keys(localStorage)) {
    const own = key
      .split(":")
      .map((part) => (part === guestId ? accountId : part))
      .join(":");
    const value = localStorage.getItem(key);
    if (own === key || value === null || localStorage.getItem(own) !== null) continue;
    localStorage.setItem(own, value);
    localStorage.removeItem(key);
  }
}

/** Reads again what the merge has changed: at once where it is shown, elsewhere when it is next shown. */
function showMerged({ cache, refetchQueries }: ApolloClient, courseIds: readonly string[]): void {
  cache.evict({ id: "ROOT_QUERY", fieldName: "myEnrollments" });
  for (const id of courseIds) {
    const course = cache.identify({ __typename: "Course", id });
    for (const fieldName of ["enrollment", "progress", "modules", "myRole"])
      if (course) cache.evict({ id: course, fieldName });
  }
  void Promise.resolve(refetchQueries({ include: "active" })).catch(() => undefined);
}
