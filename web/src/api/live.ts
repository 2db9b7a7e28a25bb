import { ApolloLink, Observable } from "@apollo/client";

const listeners = new Set<() => void>();

/**
 * Calls `listener` when the live connection is there again after it was lost: events may have been missed, so what is shown
 * is to be read anew. Subscriptions themselves go on without being asked.
 */
export function onReconnect(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function reconnected() {
  for (const listener of listeners) listener();
}

/** Subscriptions, over a WebSocket whose code is loaded when a screen first subscribes. */
export function liveLink(): ApolloLink {
  return new ApolloLink(
    (operation) =>
      new Observable((observer) => {
        let stopped = false;
        let running: { unsubscribe(): void } | undefined;
        import("./socketLink").then(
          ({ socketLink }) => {
            if (!stopped) running = socketLink().request(operation).subscribe(observer);
          },
          (error: unknown) => observer.error(error),
        );
        return () => {
          stopped = true;
          running?.unsubscribe();
        };
      }),
  );
}
