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
 * The saver's state changes with every letter; the screen around the text is drawn anew only when something changes of what it
 * says, for a letter would wait for it.
 */
export function useSaving(saver: PageSaver | null): ShownSaving {
  const last = useRef(NOTHING_YET);
  const subscribe = useCallback((listener: () => void) => saver?.subscribe(listener) ?? (() => {}), [saver]);
  return useSyncExternalStore(subscribe, () => {
    const next = saver ? shownOf(saver) : NOTHING_YET;
    if (!isSame(last.current, next)) last.current = next;
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

function isSame(a: ShownSaving, b: ShownSaving): boolean {
  return (
    a.standing === b.standing &&
    a.trouble === b.trouble &&
    a.isSettled === b.isSettled &&
    a.isAtRisk === b.isAtRisk
  );
}
