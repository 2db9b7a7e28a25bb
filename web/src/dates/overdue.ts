// The server resolves due dates and decides what an attempt loses. A screen that stays open asks it nothing when the moment comes, so the word
// «просрочено» and the days of a penalty follow the clock of the device, here and nowhere else, from the server's due date.

/** Returns the time since the due date, in ms; 0 before it and without one. */
export const overdueMs = (dueAt: string | null, now: Date): number =>
  dueAt === null ? 0 : Math.max(0, now.getTime() - Date.parse(dueAt));
