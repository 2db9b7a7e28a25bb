import type { ApolloClient } from "@apollo/client";
import { takeReturnPath } from "../api/returnPath";
import { endSession } from "../api/session";
import { loadTexts } from "../i18n";
import { inTurn, unsubscribe } from "../push/browser";
import { settleUndoable } from "../ui/undo";
import { maySignOut } from "../ui/unsaved";
import { LogoutDocument } from "./Logout.generated";

const PATIENCE_MS = 3000;

// The question that signing out may ask, present before the network is gone.
void Promise.all([import("../ui/UnsavedQuestion"), loadTexts("forms")]).catch(() => {});

/**
 * Signs out, after a question when something typed is not saved: sends the pending undoable calls while the session exists, then ends the
 * session on the server and the pushes to this browser. The token is removed even when the server is unreachable or slow.
 */
export async function logOut(client: ApolloClient): Promise<void> {
  if (!(await maySignOut())) return;
  const ended = settleUndoable()
    .then(() => client.mutate({ mutation: LogoutDocument }))
    .catch(() => undefined);
  const silenced = inTurn(unsubscribe).catch(() => undefined);
  void Promise.race([
    Promise.all([ended, silenced]),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ])
    .then(endSession)
    // The socket may have ended the session first and kept the path of this screen.
    .then(takeReturnPath);
}
