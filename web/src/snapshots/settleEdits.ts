import type { ApolloClient } from "@apollo/client";
import { useApolloClient } from "@apollo/client/react";
import { useEffect, useState } from "react";
import { editsOf } from "../outline/outlineEdits";
import { settleUndoable } from "../ui/undo";

/** Waits until the server has everything that was changed in the contents of a course, also what could still be undone. */
export async function settleEdits(client: ApolloClient, courseId: string): Promise<void> {
  await settleUndoable();
  await editsOf(client, courseId).queue.push(async () => undefined);
}

/** Whether the server has the changes of the contents, so that it can compare the course. */
export function useSettled(courseId: string): boolean {
  const client = useApolloClient();
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    let isGone = false;
    void settleEdits(client, courseId).then(() => {
      if (!isGone) setSettled(true);
    });
    return () => {
      isGone = true;
    };
  }, [client, courseId]);
  return isSettled;
}
