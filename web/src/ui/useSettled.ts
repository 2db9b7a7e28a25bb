import { useEffect, useState } from "react";

const SETTLED_MS = 120;

/** A value once it has not changed for a moment: one question to the server for a word, not one for each letter. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
