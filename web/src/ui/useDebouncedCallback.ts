import { useEffect, useEffectEvent, useState } from "react";

interface Debounced<A extends unknown[]> {
  (...args: A): void;
  /** Drops the waiting call. */
  cancel: () => void;
}

/** Calls `callback` once `ms` have passed without a further call. Unmounting drops the waiting call. */
export function useDebouncedCallback<A extends unknown[]>(
  callback: (...args: A) => void,
  ms: number,
): Debounced<A> {
  const latest = useEffectEvent(callback);
  const [debounced] = useState<Debounced<A>>(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const call = (...args: A) => {
      clearTimeout(timer);
      timer = setTimeout(() => latest(...args), ms);
    };
    return Object.assign(call, { cancel: () => clearTimeout(timer) });
  });
  useEffect(() => debounced.cancel, [debounced]);
  return debounced;
}
