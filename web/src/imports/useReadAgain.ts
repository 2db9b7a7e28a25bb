import { useEffect, useEffectEvent, useRef } from "react";

/**
 * Reads again when the state of the import changes, because what was found may have changed with it. The screen keeps what it shows
 * meanwhile, also when this fails.
 */
export function useReadAgain(state: string, refetch: () => Promise<unknown>, isRead = true) {
  const known = useRef(state);
  const readAgain = useEffectEvent(() => {
    if (isRead) refetch().catch(() => undefined);
  });
  useEffect(() => {
    if (known.current === state) return;
    known.current = state;
    readAgain();
  }, [state]);
}
