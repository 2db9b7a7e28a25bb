import { useApolloClient, useQuery, useSubscription } from "@apollo/client/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { authorVersion } from "../editor/authored";
import { useReadAgain } from "../unpublished/useReadAgain";
import { PageThreadsChangedDocument, PageThreadsDocument } from "./Comments.generated";
import { type Places, storedPlaces, type Thread } from "./threads";

/** Several events of one change are answered by one request. */
const QUIET_MS = 200;

/** The places of threads as the server has them in the text of a version. */
export interface StoredPlaces {
  version: number;
  places: Places;
}

export interface LoadedThreads {
  /** Undefined until they are loaded. */
  threads: readonly Thread[] | undefined;
  stored: StoredPlaces | null;
  error: unknown;
  /** Reads the threads again; resolves when they are shown. */
  load: () => Promise<void>;
}

interface Options {
  /** Names the editor that shows the page: it follows its own changes itself. */
  session?: string;
  /** Called when the text of the page was changed elsewhere. */
  onText?: () => void;
}

/** The threads of a page, kept up to date. Their content comes from the cache, their places from the last answer of the server. */
export function useThreads(pageId: string, { session, onText }: Options): LoadedThreads {
  const client = useApolloClient();
  const [stored, setStored] = useState<StoredPlaces | null>(null);
  const [error, setError] = useState<unknown>();
  const load = useCallback(async () => {
    try {
      const variables = { id: pageId };
      const { data, error } = await client.query({
        query: PageThreadsDocument,
        variables,
        fetchPolicy: "network-only",
      });
      if (!data) throw error;
      setStored({ version: authorVersion(data.page), places: storedPlaces(data.page.commentThreads) });
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  }, [client, pageId]);
  useEffect(() => void load(), [load]);
  useReadAgain(load);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useSubscription(PageThreadsChangedDocument, {
    variables: { pageId },
    ignoreResults: true,
    onData: ({ data }) => {
      const change = data.data?.pageChanged;
      if (!change || change.kind === "DELETED") return;
      const isText = change.kind !== "COMMENTED";
      if (isText && session !== undefined && change.userSessionId === session) return;
      if (isText) onText?.();
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void load(), QUIET_MS);
    },
  });
  const { data } = useQuery(PageThreadsDocument, { variables: { id: pageId }, fetchPolicy: "cache-only" });
  return { threads: stored ? data?.page.commentThreads : undefined, stored, error, load };
}
