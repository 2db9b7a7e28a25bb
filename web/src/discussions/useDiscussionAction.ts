import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { toastFailure } from "../ui/toasts";
import { readDiscussion } from "./actions";

/** Runs one action on a discussion at a time. After a failure the discussion is read again; `onGone` is called if it does not exist any more. */
export function useDiscussionAction(discussionId: string, onGone: () => void) {
  const client = useApolloClient();
  const [isBusy, setBusy] = useState(false);
  const run = async (act: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      toastFailure(error);
      // Somebody else may have changed or deleted it.
      if ((await readDiscussion(client, discussionId).catch(() => undefined)) === null) onGone();
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run };
}
