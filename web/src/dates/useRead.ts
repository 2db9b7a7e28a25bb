import { useEffect, useRef } from "react";

/**
 * Keeps the stored fields that a form showed before its user began to type: what a change is based on. `isDirty` says whether the form has
 * typed changes. After a refusal the next change is based on what is stored then: the user has been told.
 */
export function useRead<T extends object>(item: T) {
  const read = useRef<T | null>(item);
  return {
    read,
    /** Sends a change that is based on what was read. */
    send: async <R>(change: (read: T) => Promise<R>): Promise<R> => {
      try {
        return await change(read.current ?? item);
      } catch (error) {
        read.current = null;
        throw error;
      }
    },
  };
}

/** Follows the stored fields as long as nothing is typed. */
export function useFollow<T extends object>(
  { read }: ReturnType<typeof useRead<T>>,
  item: T,
  isDirty: boolean,
) {
  useEffect(() => {
    if (!isDirty) read.current = item;
  }, [item, isDirty, read]);
}
