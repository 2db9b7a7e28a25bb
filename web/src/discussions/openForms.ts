/** The open form of each draft. Two forms of one draft would overwrite each other's text. */
const open = new Map<string, () => void>();

/** Takes a draft over: the form that had it is closed. Returns what gives it back. */
export function takeForm(key: string, close: () => void): () => void {
  const before = open.get(key);
  open.set(key, close);
  before?.();
  return () => {
    if (open.get(key) === close) open.delete(key);
  };
}

/** Closes the form of a draft that was sent, whichever has it by then. */
export const closeForm = (key: string): void => open.get(key)?.();
