import { useLayoutEffect, useRef, useState } from "react";

/** What is typed, before it is saved. */
export interface Draft<T> {
  /** The value as it is typed. */
  value: T;
  isChanged: boolean;
  /** Incremented when the fields must start over with another value. */
  revision: number;
  change: (value: T) => void;
  edit: (change: (value: T) => T) => void;
  /** The value at this moment, which may be newer than the rendered one; null without a change. */
  latest: () => T | null;
  /** Forgets the change, unless something was typed after `sent`. */
  settle: (sent: T) => void;
  /** Forgets the change, and starts the fields over. */
  startOver: () => void;
}

interface Options<T> {
  /** The change to begin with, such as one that an earlier visit left. */
  initial?: T | null;
  /** Called with each change before it is shown; with null when there is none any more. */
  keep?: (change: T | null) => void;
}

/** Keeps the changes to a saved value, such as a question of a bank. */
export function useDraft<T>(base: T, { initial = null, keep }: Options<T> = {}): Draft<T> {
  const [draft, setDraft] = useState<T | null>(initial);
  const [revision, setRevision] = useState(0);
  const latest = useRef<T | null>(initial);
  // An undo calls `edit` of an earlier rendering, after the value was saved.
  const saved = useRef(base);
  const kept = useRef(keep);
  useLayoutEffect(() => {
    saved.current = base;
    kept.current = keep;
  });
  const put = (next: T | null) => {
    // Without a change here, the device may have one of another window.
    if (next !== latest.current) kept.current?.(next);
    latest.current = next;
    setDraft(next);
  };
  return {
    value: draft ?? base,
    isChanged: draft !== null,
    revision,
    change: put,
    edit: (change) => put(change(latest.current ?? saved.current)),
    latest: () => latest.current,
    settle: (sent) => {
      if (latest.current === sent) put(null);
    },
    startOver: () => {
      put(null);
      setRevision((before) => before + 1);
    },
  };
}
