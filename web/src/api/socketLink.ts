import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { createClient } from "graphql-ws";
import { i18n } from "../i18n";
import { GRAPHQL_URL } from "./apiError";
import { reconnected } from "./live";
import { endSession, signedIn, token } from "./session";

/** The server closes with it when the session has ended. */
const FORBIDDEN = 4403;
/** Milliseconds. */
const LONGEST_PAUSE = 30_000;
/** How long the socket outlives its last subscription: the next screen often has one too. */
const LINGER = 5_000;

let link: GraphQLWsLink | undefined;

/** One socket for all subscriptions of this tab. */
export function socketLink(): GraphQLWsLink {
  link ??= new GraphQLWsLink(createSocket());
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
    lazyCloseTimeout: LINGER,
    // Whoever shows something live wants it back whenever the network comes back. After a sign-out there is nobody.
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: signedIn,
    retryWait: (retries) => pause(Math.min(1000 * 2 ** retries, LONGEST_PAUSE) * (0.5 + Math.random() / 2)),
    on: {
      // With another token by now, signed in anew in another tab, it is worth another try.
      closed: (event) => {
        if ((event as CloseEvent).code === FORBIDDEN && token() === used) endSession();
      },
      connected: (_socket, _payload, wasRetry) => {
        if (wasRetry) reconnected();
      },
    },
  });
}

function socketUrl(): string {
  const url = new URL(GRAPHQL_URL, window.location.href);
  url.protocol = url.protocol.replace("http", "ws");
  return url.href;
}

/** Until the time is over or the network is back. */
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
