import type { ReactNode } from "react";
import { useEffect, useSyncExternalStore } from "react";

/** Something the palette can do. */
export interface PaletteAction {
  /** Unique among the actions. */
  id: string;
  /** What it does, as a button would say it. */
  title: string;
  icon?: ReactNode;
  /** Further words it is found by, in either language. */
  words?: string;
  run: () => void;
}

let offered: readonly (readonly PaletteAction[])[] = [];
const listeners = new Set<() => void>();

function publish(next: typeof offered) {
  offered = next;
  for (const listener of listeners) listener();
}

/** Offers what a screen can do in the palette, as long as the screen is there. `actions` should keep its identity between renders. */
export function usePaletteActions(actions: readonly PaletteAction[]) {
  useEffect(() => {
    publish([...offered, actions]);
    return () => publish(offered.filter((one) => one !== actions));
  }, [actions]);
}

/** What the screens that are open offer, the last one first. */
export function useOfferedActions(): readonly PaletteAction[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => offered,
  );
  return all.toReversed().flat();
}
