import type { ApolloClient } from "@apollo/client";
import { endSession } from "../api/session";
import { settleUndoable } from "../ui/undo";
import { LogoutDocument } from "./Logout.generated";

const PATIENCE_MS = 3000;

/**
 * Signs out: sends the pending undoable calls while the session exists, then ends the session on the server. The token is
 * removed even when the server is unreachable or slow.
 */
export function logOut(client: ApolloClient) {
  const ended = settleUndoable()
    .then(() => client.mutate({ mutation: LogoutDocument }))
    .catch(() => undefined);
  void Promise.race([ended, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]).then(endSession);
}
