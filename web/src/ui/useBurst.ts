import { useEffect, useEffectEvent, useState } from "react";

/**
 * Calls `callback` once after a burst of calls: `pause` ms after the last one, and at the latest `most` ms after the first one, so that
 * calls without a pause do not put it off for ever. Unmounting drops the waiting call.
 */
export function useBurst(callback: () => void, pause: number, most: number): () => void {
  const latest = useEffectEvent(callback);
  const [burst] = useState(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let end = 0;
    const fire = () => {
      timer = undefined;
      latest();
    };
    return {
      call: () => {
        const now = Date.now();
        if (timer === undefined) end = now + most;
        clearTimeout(timer);
        timer = setTimeout(fire, Math.max(0, Math.min(pause, end - now)));
      },
      stop: () => {
        clearTimeout(timer);
        timer = undefined;
      },
    };
  });
  useEffect(() => burst.stop, [burst]);
  return burst.call;
}
