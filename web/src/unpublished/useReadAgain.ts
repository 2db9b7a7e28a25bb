import { useEffect, useEffectEvent } from "react";
import { onReconnect } from "../api/live";

/** Reads what others may have changed: when the window is entered, and when the network is back. */
export function useReadAgain(read: () => Promise<unknown>): void {
  // Without an answer, what is shown stays.
  const again = useEffectEvent(() => void read().catch(() => {}));
  useEffect(() => {
    const listen = () => again();
    window.addEventListener("focus", listen);
    const stop = onReconnect(listen);
    return () => {
      window.removeEventListener("focus", listen);
      stop();
    };
  }, []);
}
