let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function publish(next: ReadonlySet<string>) {
  hidden = next;
  for (const listener of listeners) listener();
}

/** Items that wait to be deleted: hidden on every screen although the server still has them. */
export const hiddenItems = {
  get: () => hidden,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};

export function hideItems(ids: readonly string[]) {
  publish(new Set([...hidden, ...ids]));
}

export function showItems(ids: readonly string[]) {
  const back = new Set(ids);
  publish(new Set([...hidden].filter((id) => !back.has(id))));
}
