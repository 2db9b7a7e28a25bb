/**
 * Values of forms that a session's end has interrupted. They wait in the tab's session storage for the same person to sign in and to open
 * the form again.
 */
type Values = Record<string, unknown>;

const keyOf = (userId: string, name: string, subject: string) => `form:${userId}:${name}:${subject}`;

export function keepForm(userId: string, name: string, subject: string, values: Values): void {
  try {
    sessionStorage.setItem(keyOf(userId, name, subject), JSON.stringify(values));
  } catch {
    // The storage is full or forbidden.
  }
}

/** Returns the kept values and removes them; null without any. */
export function takeKeptForm(userId: string, name: string, subject: string): Values | null {
  const key = keyOf(userId, name, subject);
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    sessionStorage.removeItem(key);
    return typeof kept === "object" ? (kept as Values | null) : null;
  } catch {
    return null;
  }
}
