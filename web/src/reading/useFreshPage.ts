import { useApolloClient } from "@apollo/client/react";
import { useEffect } from "react";
import { ReadingPageDocument } from "./ReadingPage.generated";

/** A page that was read less than this ago is not read again. */
const FRESH_MS = 30_000;

const readAt = new Map<string, number>();

/** Reads an open page again when the reader comes back to its tab or to the page, so that corrections arrive. A failure changes nothing. */
export function useFreshPage(id: string) {
  const client = useApolloClient();
  useEffect(() => {
    const read = () => {
      const last = readAt.get(id);
      if (document.hidden || Date.now() - (last ?? 0) < FRESH_MS) return;
      readAt.set(id, Date.now());
      // The route itself has just requested a page that is opened for the first time.
      if (last)
        client
          .query({ query: ReadingPageDocument, variables: { id }, fetchPolicy: "network-only" })
          .catch(() => {});
    };
    read();
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, [client, id]);
}
