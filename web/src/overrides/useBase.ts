import { useEffect, useRef } from "react";
import type { Override } from "./overrides";

/** Keeps the override that a form showed before its user began to type: what a change is based on. */
export function useBase(first: Override | undefined) {
  const read = useRef<{ override: Override | undefined; place?: string }>({ override: first });
  return {
    read,
    current: () => read.current.override,
    /** After a conflict the next change is based on what is stored then: the user has been told. */
    rebase: (stored: Override | undefined) => {
      read.current.override = stored;
    },
  };
}

/** Follows the stored override while nothing is typed, and when another part or person is chosen. */
export function useFollowBase(
  { read }: ReturnType<typeof useBase>,
  existing: Override | undefined,
  place: string,
  isDirty: boolean,
) {
  useEffect(() => {
    if (!isDirty || read.current.place !== place) read.current = { override: existing, place };
  }, [existing, place, isDirty, read]);
}
