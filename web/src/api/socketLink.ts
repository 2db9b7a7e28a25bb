import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { type Client, createClient } from "graphql-ws";
import { i18n } from "../i18n";
import { GRAPHQL_URL } from "./apiError";
import { reconnected } from "./live";
import { endRejectedSession, signedIn, token } from "./session";

/** The close code of the server when the session has ended. */
const FORBIDDEN = 4403;
/** The longest delay between two connection attempts, in milliseconds. */
const MAX_RETRY_DELAY_MS = 30_000;
/** Milliseconds until an unused socket closes: the next screen often subscribes too. */
const IDLE_TIMEOUT_MS = 5_000;

let link: GraphQLWsLink | undefined;

/** The link of the one socket that all subscriptions of this tab share. */
export function socketLink(): GraphQLWsLink {
  if (!link) {
    const client = createSocket();
    closeWhenLeft(client);
    link = new GraphQLWsLink(client);
  }
  return link;
}

export function createSocket() {
  let used = "";
  return createClient({
    url: socketUrl,
    connectionParams: () => {
      used = token();
      return { token: used, acceptLanguage: i18n.language };
    },
    lazyCloseTimeout: IDLE_TIMEOUT_MS,
    // Retries for as long as there is a session, because subscribers have no reconnection of their own.
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: signedIn,
    retryWait: (retries) =>
      pause(Math.min(1000 * 2 ** retries, MAX_RETRY_DELAY_MS) * (0.5 + Math.random() / 2)),
    on: {
      // When another tab has signed in meanwhile, the socket reconnects with the new token.
      closed: (event) => {
        if ((event as CloseEvent).code === FORBIDDEN) endRejectedSession(used);
      },
      connected: (_socket, _payload, wasRetry) => {
        if (wasRetry) reconnected();
      },
    },
  });
}

/**
 * Closes the socket when the page is left: a page in the back-forward cache would keep it, and others would still see its user. It connects
 * again when the page returns.
 */
export function closeWhenLeft(client: Pick<Client, "terminate">): void {
  window.addEventListener("pagehide", () => client.terminate());
}

function socketUrl(): string {
  const url = new URL(GRAPHQL_URL, window.location.href);
  url.protocol = url.protocol.replace("http", "ws");
  return url.href;
}

/** Resolves after the time, or earlier when the network is back. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener("online", done);
  });
}
