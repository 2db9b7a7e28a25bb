import { useState } from "react";
import { usePreview } from "../preview/context";

/** Returns the present as of the first render; in a preview at a chosen moment, that moment. */
export function useNow(): Date {
  const chosen = usePreview()?.at;
  const [now] = useState(() => chosen ?? new Date());
  return now;
}
