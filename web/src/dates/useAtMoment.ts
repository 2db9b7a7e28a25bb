import { useEffect, useEffectEvent } from "react";
import { usePreview } from "../preview/context";

/** Browsers keep timers of up to 2³¹ ms, almost 25 days; what is farther away is not waited for. */
const LONGEST_MS = 24 * 86_400_000;

/**
 * Calls `act` once the moment has come, if that is in the next 24 days. The second after it allows for different clocks. A device that slept
 * at the moment calls it when the screen is looked at again. In a preview at a chosen moment time stands still.
 */
export function useAtMoment(iso: string | null, act: () => void) {
  const onTime = useEffectEvent(act);
  const isStill = usePreview()?.at != null;
  useEffect(() => {
    if (iso === null || isStill) return;
    const wait = new Date(iso).getTime() - Date.now();
    if (wait < 0 || wait > LONGEST_MS) return;
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
    const come = () => {
      end();
      onTime();
    };
    const timer = setTimeout(come, wait + 1000);
    // The timer of a sleeping device is late.
    const look = () => {
      if (!document.hidden && Date.now() >= new Date(iso).getTime() + 1000) come();
    };
    document.addEventListener("visibilitychange", look);
    return end;
  }, [iso, isStill]);
}
