// The server resolves due dates and computes late penalties. An open screen does not query it when a due date passes, so only the label
// «просрочено» and the days of the penalty are derived here, from the server's due date and the device's clock.

/** Returns the time since the due date, in ms; 0 before it and without one. */
export const overdueMs = (dueAt: string | null, now: Date): number =>
  dueAt === null ? 0 : Math.max(0, now.getTime() - Date.parse(dueAt));
