import { ApolloLink, Observable } from "@apollo/client";

const listeners = new Set<() => void>();

/**
 * Calls `listener` when the WebSocket reconnects: events may have been missed, so the listener fetches its data again.
 * Subscriptions resume by themselves.
 */
export function onReconnect(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function reconnected() {
  for (const listener of listeners) listener();
}

/** The link for subscriptions. Its WebSocket code is loaded with the first subscription. */
export function liveLink(): ApolloLink {
  return new ApolloLink(
    (operation) =>
      new Observable((observer) => {
        let stopped = false;
        let running: { unsubscribe(): void } | undefined;
        import("./socketLink")
          .then(({ socketLink }) => {
            if (!stopped) running = socketLink().request(operation).subscribe(observer);
          })
          .catch((error: unknown) => observer.error(error));
        return () => {
          stopped = true;
          running?.unsubscribe();
        };
      }),
  );
}
