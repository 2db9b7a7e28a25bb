import { useCallback, useRef, useSyncExternalStore } from "react";
import type { PageSaver } from "./PageSaver";
import type { PageText } from "./pageText";
import { isSettled, type Standing, standing, type Trouble } from "./saving";

/** What the screen shows of a save. */
export interface ShownSaving {
  standing: Standing;
  trouble: Trouble<PageText> | null;
  isSettled: boolean;
  /** This device could not keep a copy of what is unsaved. */
  isAtRisk: boolean;
}

const NOTHING_YET: ShownSaving = { standing: "saved", trouble: null, isSettled: true, isAtRisk: false };

/**
 * The saver's state changes with every letter; who shows it is drawn anew only when something changes of what it says, for a
 * letter would wait for it. That a text is unsaved is said with the first letter after each pause: the large parts of the screen
 * choose something else.
 */
export function useSaving<T extends object>(saver: PageSaver | null, choose: (saving: ShownSaving) => T): T {
  const last = useRef<T | null>(null);
  const subscribe = useCallback((listener: () => void) => saver?.subscribe(listener) ?? (() => {}), [saver]);
  return useSyncExternalStore(subscribe, () => {
    const next = choose(saver ? shownOf(saver) : NOTHING_YET);
    if (!last.current || !isSame(last.current, next)) last.current = next;
    return last.current;
  });
}

function shownOf(saver: PageSaver): ShownSaving {
  const state = saver.get();
  return {
    standing: standing(state),
    trouble: state.trouble,
    isSettled: isSettled(state),
    isAtRisk: saver.isAtRisk,
  };
}

/** Of two choices of the same. */
function isSame<T extends object>(a: T, b: T): boolean {
  return Object.keys(a).every((key) => a[key as keyof T] === b[key as keyof T]);
}
