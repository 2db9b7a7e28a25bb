/** The token of an invitation that came before its person had signed in; gone with the tab. */
const KEY = "invitation";

export function keepInvitation(token: string) {
  sessionStorage.setItem(KEY, token);
}

/** Hands out the token once. */
export function takeInvitation(): string | null {
  const token = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return token;
}
