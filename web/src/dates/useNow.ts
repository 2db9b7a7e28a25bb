import { useState } from "react";
import { usePreview } from "../preview/context";
import { useAtMoment } from "./useAtMoment";

/**
 * Returns the present as of the first render; in a preview at a chosen moment, that moment. `next` returns the moment after a given one at which the
 * screen changes: the present advances when it has come, so that an open screen does not go on telling what was true before. `onChange` is called
 * then; it reads what the server decides.
 */
export function useNow(next: (now: Date) => string | null = never, onChange?: () => void): Date {
  const chosen = usePreview()?.at;
  const [now, setNow] = useState(() => chosen ?? new Date());
  useAtMoment(next(now), () => {
    setNow(new Date());
    onChange?.();
  });
  return now;
}

const never = () => null;
