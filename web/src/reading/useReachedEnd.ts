import { type RefObject, useEffect, useEffectEvent } from "react";

/** How long the end of a page that fits on the screen has to be visible to count as reached. */
const MIN_VISIBLE_MS = 1000;

/**
 * Calls `onReached` once, when the marker at the page's end becomes visible: at once after scrolling, and after a moment on a page whose
 * end is visible from the start. Time in a background tab does not count.
 */
export function useReachedEnd(marker: RefObject<HTMLElement | null>, onReached: () => void) {
  const reached = useEffectEvent(onReached);
  useEffect(() => {
    const element = marker.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let scrolled = false;
    let isIntersecting = false;
    const onScroll = () => {
      scrolled = true;
    };
    const check = () => {
      clearTimeout(timer);
      if (!isIntersecting || document.visibilityState !== "visible") return;
      timer = setTimeout(
        () => {
          stop();
          reached();
        },
        scrolled ? 0 : MIN_VISIBLE_MS,
      );
    };
    const observer = new IntersectionObserver((entries) => {
      isIntersecting = entries.at(-1)?.isIntersecting ?? false;
      check();
    });
    const stop = () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener("visibilitychange", check);
    };
    observer.observe(element);
    document.addEventListener("visibilitychange", check);
    window.addEventListener("wheel", onScroll, { passive: true, once: true });
    window.addEventListener("touchmove", onScroll, { passive: true, once: true });
    window.addEventListener("keydown", onScroll, { once: true });
    return () => {
      stop();
      window.removeEventListener("wheel", onScroll);
      window.removeEventListener("touchmove", onScroll);
      window.removeEventListener("keydown", onScroll);
    };
  }, [marker]);
}
