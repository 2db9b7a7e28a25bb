import { createStore } from "@tanstack/react-store";

/** Ids of items that wait to be deleted: hidden on every screen although the server still has them. */
export const hiddenItems = createStore<ReadonlySet<string>>(new Set<string>());

export function hideItems(ids: readonly string[]) {
  hiddenItems.setState((hidden) => new Set([...hidden, ...ids]));
}

export function showItems(ids: readonly string[]) {
  const back = new Set(ids);
  hiddenItems.setState((hidden) => new Set([...hidden].filter((id) => !back.has(id))));
}
