import type { ApolloClient } from "@apollo/client";
import { endSession } from "../api/session";
import { settleUndoable } from "../ui/undo";
import { LogoutDocument } from "./Logout.generated";

const PATIENCE_MS = 3000;

/**
 * What waits to be undone is sent while there is a session. The server ends its session; ours ends even when it cannot be
 * reached or takes its time.
 */
export function logOut(client: ApolloClient) {
  const ended = settleUndoable()
    .then(() => client.mutate({ mutation: LogoutDocument }))
    .catch(() => undefined);
  void Promise.race([ended, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]).then(endSession);
}
