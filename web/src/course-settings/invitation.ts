/** Stores an invitation token across signing in, in the tab's session storage. */
const KEY = "invitation";

export function keepInvitation(token: string) {
  sessionStorage.setItem(KEY, token);
}

/** Returns and removes the token. */
export function takeInvitation(): string | null {
  const token = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return token;
}
