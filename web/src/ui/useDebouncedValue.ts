import { useEffect, useState } from "react";

const DELAY_MS = 120;

/** Returns the value after it has not changed for 120 ms, so that a search sends one request per pause instead of one per letter. */
export function useDebouncedValue<T>(value: T): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
