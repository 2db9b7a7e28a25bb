import { GUEST_KEY, isGuest, signedIn, storeToken, token } from "../api/session";
import { forgetJson, isObject, keepJson, readJson } from "../ui/localJson";

/** The local storage key of the guest whose work an account gets. */
const MERGE_KEY = "guest_to_merge";

/** Begins the session of a guest. */
export function storeGuest(accessToken: string): void {
  localStorage.setItem(GUEST_KEY, accessToken);
  storeToken(accessToken);
}

/** Forgets that the session is that of a guest. The session itself goes on. */
export function forgetGuest(): void {
  localStorage.removeItem(GUEST_KEY);
}

/** Keeps the former guest for the account that has signed in, so that nobody else who uses the browser gets their work. */
export function claimGuest(): void {
  const guest = localStorage.getItem(GUEST_KEY);
  if (guest === null || !signedIn() || isGuest()) return;
  keepJson(MERGE_KEY, { token: guest, owner: subjectOf(token()) });
  forgetGuest();
}

/** Whether there is a guest to claim or to merge. */
export function hasFormerGuest(): boolean {
  return localStorage.getItem(MERGE_KEY) !== null || (localStorage.getItem(GUEST_KEY) !== null && !isGuest());
}

/** Returns the token of the guest whose work the present account gets; null if there is none. */
export function guestToMerge(): string | null {
  const kept = readJson(MERGE_KEY);
  if (!signedIn() || !isObject(kept)) return null;
  const { token: guest, owner } = kept as { token?: unknown; owner?: unknown };
  return typeof guest === "string" && owner === subjectOf(token()) ? guest : null;
}

/** Forgets the guest whose work was merged; not another one who was claimed meanwhile. */
export function forgetMerged(guest: string): void {
  if (guestToMerge() === guest) forgetJson(MERGE_KEY);
}

/** Returns the id of the person whom an access token names; an empty text if it cannot be read. */
export function subjectOf(accessToken: string): string {
  try {
    const claims: unknown = JSON.parse(
      atob((accessToken.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/")),
    );
    return isObject(claims) && "sub" in claims ? String(claims.sub) : "";
  } catch {
    return "";
  }
}
