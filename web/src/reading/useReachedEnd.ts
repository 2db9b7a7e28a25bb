import { type RefObject, useEffect, useEffectEvent } from "react";

/** How long the end of a page that needs no scrolling has to be seen: a glance on the way elsewhere is not a visit. */
const GLANCE = 1000;

/**
 * Calls `onReached` once the marker at the page's end was on the screen: at once when the reader came to it by scrolling,
 * after a moment when it was there from the start.
 */
export function useReachedEnd(marker: RefObject<HTMLElement | null>, onReached: () => void) {
  const reached = useEffectEvent(onReached);
  useEffect(() => {
    const element = marker.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let scrolled = false;
    const onScroll = () => {
      scrolled = true;
    };
    const observer = new IntersectionObserver((entries) => {
      clearTimeout(timer);
      if (!entries.at(-1)?.isIntersecting) return;
      timer = setTimeout(
        () => {
          if (document.visibilityState !== "visible") return;
          observer.disconnect();
          reached();
        },
        scrolled ? 0 : GLANCE,
      );
    });
    observer.observe(element);
    window.addEventListener("wheel", onScroll, { passive: true, once: true });
    window.addEventListener("touchmove", onScroll, { passive: true, once: true });
    window.addEventListener("keydown", onScroll, { once: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      window.removeEventListener("wheel", onScroll);
      window.removeEventListener("touchmove", onScroll);
      window.removeEventListener("keydown", onScroll);
    };
  }, [marker]);
}
