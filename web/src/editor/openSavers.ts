import type { Saver } from "./Saver";

/** What is still to be sent of a page. */
type Open = Pick<Saver<unknown>, "leave" | "end">;

/** The savers of this window: those of open pages, and those of closed pages that still have a save in progress. */
const savers = new Map<string, { saver: Open; ended: Promise<void> }>();
/** Longest wait for a page's last save before the page is read again. */
const TIMEOUT_MS = 4000;

export function registerSaver(pageId: string, saver: Open, ended: Promise<void>): void {
  const entry = { saver, ended };
  savers.set(pageId, entry);
  void ended.then(() => savers.get(pageId) === entry && savers.delete(pageId));
}

/** Resolves when this window has no save of the page in progress. A save that cannot finish is abandoned; its draft stays. */
export async function finishSaving(pageId: string): Promise<void> {
  const open = savers.get(pageId);
  if (!open) return;
  open.saver.leave();
  await Promise.race([open.ended, new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))]);
  open.saver.end();
}
