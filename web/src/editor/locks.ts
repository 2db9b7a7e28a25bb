/** Creates the id of an open editor and holds a lock on it, so that other windows do not offer its draft while it is open. */
export function openEditorLock(): { session: string; close: () => void } {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const session = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  // Browsers have no locks over plain HTTP; every draft then counts as abandoned.
  void navigator.locks?.request(lockOf(session), () => closed).catch(() => {});
  return { session, close };
}

/** The drafts whose editor is closed. */
export async function abandonedDrafts<T extends { session: string }>(drafts: readonly T[]): Promise<T[]> {
  const held = (await navigator.locks?.query())?.held ?? [];
  const alive = new Set(held.map((lock) => lock.name));
  return drafts.filter((draft) => !alive.has(lockOf(draft.session)));
}

const lockOf = (session: string) => `kurso-editor:${session}`;
