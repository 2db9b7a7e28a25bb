import { useApolloClient } from "@apollo/client/react";
import { useEffect, useEffectEvent, useRef } from "react";
import { readAgain } from "../reading/readAgain";
import type { Note } from "./note";

interface Kept {
  tickedVersion: number | null;
  notes: readonly Pick<Note, "place">[];
}

/** The versions of the text in which what is kept has its places. */
const versionsOf = (kept: Kept | null): number[] =>
  kept
    ? [...kept.notes.map(({ place }) => place?.version), kept.tickedVersion].filter((one) => one != null)
    : [];

/** Brings the text on the screen and what is kept of it to the same version: reads the older one again. */
export function useSameVersion(
  { id, version }: { id: string; version: number },
  kept: Kept | null,
  readKept: () => Promise<unknown>,
): void {
  const client = useApolloClient();
  const versions = versionsOf(kept);
  const newest = Math.max(version, ...versions);
  const oldest = Math.min(version, ...versions);
  // Without an answer, what is shown stays. It is read again when the reader comes back.
  useEffect(() => {
    if (newest > version) readAgain(client, id).catch(() => {});
  }, [client, id, newest, version]);
  const read = useEffectEvent(() => void readKept().catch(() => {}));
  const shown = useRef(version);
  useEffect(() => {
    // Places that were gone may be there in a new text.
    const isOther = shown.current !== version;
    shown.current = version;
    if (isOther || oldest < version) read();
  }, [oldest, version]);
}
