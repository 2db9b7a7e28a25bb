import { useEffect, useRef } from "react";
import { dismissToast } from "../ui/toasts";
import { offerUndo } from "../ui/undo";

/**
 * Returns a function that says what was done and offers to undo it. The offers end with the component: when it is gone, there is nothing to
 * put anything back into.
 */
export function useUndo() {
  const offered = useRef<number[]>([]);
  useEffect(
    () => () => {
      for (const id of offered.current) dismissToast(id);
    },
    [],
  );
  return (text: string, run: () => void) => {
    offered.current.push(offerUndo(text, run));
  };
}
