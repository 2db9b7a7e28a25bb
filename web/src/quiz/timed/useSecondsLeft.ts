import { useEffect, useState } from "react";
import { nextTick } from "./clock";

/** The seconds left, which the component shows; it renders again when the text of the clock changes. */
export function useSecondsLeft(left: () => number): number {
  const [now, setNow] = useState(left);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = () => {
      clearTimeout(timer);
      const value = left();
      setNow(value);
      if (value > 0 && value < Number.POSITIVE_INFINITY) timer = setTimeout(tick, nextTick(value));
    };
    tick();
    // The timers of a hidden page are late.
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [left]);
  return now;
}
