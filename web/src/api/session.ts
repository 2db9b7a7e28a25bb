import { keepReturnPath } from "./returnPath";

/** The session is an access token in local storage, shared by all tabs. */
const KEY = "access_token";
/** The token of a guest, beside `KEY`, while they are one. It stays when the server rejects it: the sign-in screen says so and removes it. */
export const GUEST_KEY = "guest_token";
const listeners = new Set<() => void>();

export function token(): string {
  return localStorage.getItem(KEY) ?? "";
}

export function signedIn(): boolean {
  return token() !== "";
}

/** Whether the session is that of a guest, who has no account. */
export function isGuest(): boolean {
  return localStorage.getItem(GUEST_KEY) === token();
}

export function storeToken(value: string) {
  localStorage.setItem(KEY, value);
}

/** Removes the token and notifies the listeners. Does nothing without a token, so that several rejected calls end the session once. */
export function endSession() {
  if (!signedIn()) return;
  localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

/**
 * Ends the session because the server rejected its token. Does nothing if another token was stored since the request, by a later sign-in.
 * The next sign-in opens the current screen again, except after a 403, because the screen would end that session too. To a guest a 403 only
 * says that something takes an account.
 */
export function endRejectedSession(rejected: string, status = 401) {
  if (!rejected || token() !== rejected || (status === 403 && isGuest())) return;
  const { pathname, search, hash } = window.location;
  if (status === 401) keepReturnPath(pathname + search + hash);
  endSession();
}

/** Calls `listener` when the session ends here or in another tab. */
export function onSessionEnd(listener: () => void): () => void {
  const inAnotherTab = (event: StorageEvent) => {
    // `key` is null when the whole storage was cleared.
    if ((event.key === KEY || event.key === null) && !signedIn()) listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", inAnotherTab);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", inAnotherTab);
  };
}
