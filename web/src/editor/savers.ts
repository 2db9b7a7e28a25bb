import type { PageSaver } from "./PageSaver";

/** The savers of this window: of pages that are open, and of those left while something was on its way. */
const savers = new Map<string, { saver: PageSaver; ended: Promise<void> }>();
/** So long one waits for a page's own last save before it is read again. */
const PATIENCE_MS = 4000;

export function rememberSaver(pageId: string, saver: PageSaver, ended: Promise<void>): void {
  const entry = { saver, ended };
  savers.set(pageId, entry);
  void ended.then(() => savers.get(pageId) === entry && savers.delete(pageId));
}

/** Resolves when nothing of this window is on its way to the page any more; what cannot get there is given up, its draft stays. */
export async function settledSaver(pageId: string): Promise<void> {
  const left = savers.get(pageId);
  if (!left) return;
  left.saver.leave();
  await Promise.race([left.ended, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  left.saver.end();
}
