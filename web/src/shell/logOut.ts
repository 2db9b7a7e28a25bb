import type { ApolloClient } from "@apollo/client";
import { takeReturnPath } from "../api/returnPath";
import { endSession, isGuest } from "../api/session";
import { forgetGuest } from "../guests/guestToken";
import { loadTexts, withTexts } from "../i18n";
import { inTurn, unsubscribe } from "../push/browser";
import { settleUndoable } from "../ui/undo";
import { maySignOut } from "../ui/unsaved";
import { LogoutDocument } from "./Logout.generated";

// The menu loads both at once.
export { keepDevice } from "../push/keepDevice";

const PATIENCE_MS = 3000;

// The question that signing out may ask, present before the network is gone.
void Promise.all([import("../ui/UnsavedQuestion"), loadTexts("forms")]).catch(() => {});
const guestQuestion = () => withTexts(import("../guests/LogOutQuestion"), "join");
if (isGuest()) void guestQuestion().catch(() => {});

/**
 * Signs out, after a question when something typed is not saved, or when a guest loses everything: sends the pending undoable calls while the session exists, then ends the
 * session on the server and the pushes to this browser. The token is removed even when the server is unreachable or slow.
 */
export async function logOut(client: ApolloClient): Promise<void> {
  if (!(await maySignOut())) return;
  const wasGuest = isGuest();
  if (wasGuest && !(await (await guestQuestion()).askGuest())) return;
  const ended = settleUndoable()
    .then(() => client.mutate({ mutation: LogoutDocument }))
    .catch(() => undefined);
  const silenced = inTurn(unsubscribe).catch(() => undefined);
  void Promise.race([
    Promise.all([ended, silenced]),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ])
    // This comes first: otherwise other tabs would report that the server had ended the session.
    .then(() => wasGuest && forgetGuest())
    .then(endSession)
    // The socket may have ended the session first and kept the path of this screen.
    .then(takeReturnPath);
}
