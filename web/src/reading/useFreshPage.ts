import { useApolloClient } from "@apollo/client/react";
import { useEffect } from "react";

/** A page that was read less than this ago is not read again. */
const FRESH_MS = 15_000;
const EVENTS = ["visibilitychange", "focus", "online"];

const readAt = new Map<string, number>();

/**
 * Reads an open page again when the reader comes back to its tab, its window or the network, so that corrections arrive. A failure changes
 * nothing.
 */
export function useFreshPage(id: string) {
  const client = useApolloClient();
  useEffect(() => {
    const read = () => {
      const last = readAt.get(id);
      if (document.hidden || Date.now() - (last ?? 0) < FRESH_MS) return;
      readAt.set(id, Date.now());
      // The route itself has just requested a page that is opened for the first time.
      if (last) import("./readAgain").then(({ readAgain }) => readAgain(client, id)).catch(() => {});
    };
    read();
    for (const event of EVENTS) window.addEventListener(event, read);
    return () => {
      for (const event of EVENTS) window.removeEventListener(event, read);
    };
  }, [client, id]);
}
