import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useState } from "react";
import { currentPosition, keepPosition, positionOf, scrollToPosition } from "./positions";

/** Delay after the last scroll event; writing during scrolling would drop frames. */
const SETTLED = 250;

/**
 * Restores the learner's position in the page and stores it after each scroll. An anchor in the address takes precedence. A preview
 * neither uses nor changes the positions of the person who looks at it.
 *
 * Returns whether the page opens below its top, and a function that deletes the position, so that a finished page opens at its top.
 */
export function useReadingPosition(pageId: string, content: RefObject<HTMLElement | null>) {
  const router = useRouter();
  const isPreview = !!router.options.context?.pages;
  const finished = useRef(isPreview);
  const [opensInside] = useState(() => !!(decodedHash() || (!isPreview && positionOf(pageId))));
  useEffect(() => {
    const blocks = content.current?.firstElementChild?.children;
    if (!blocks) return;
    const restore = () => {
      const anchor = decodedHash();
      const position = !isPreview && positionOf(pageId);
      if (anchor) document.getElementById(anchor)?.scrollIntoView();
      else if (position) scrollToPosition(blocks, position);
    };
    restore();
    // The router scrolls to the top after rendering a new address, which can happen after this effect.
    const unsubscribe = router.subscribe("onRendered", ({ pathChanged }) => {
      if (pathChanged) restore();
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!finished.current) keepPosition(pageId, currentPosition(blocks));
      }, SETTLED);
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      unsubscribe();
      window.removeEventListener("scroll", onScroll);
    };
  }, [pageId, content, router, isPreview]);
  const forget = () => {
    finished.current = true;
    if (!isPreview) keepPosition(pageId, null);
  };
  return [opensInside, forget] as const;
}

function decodedHash(): string {
  try {
    return decodeURIComponent(window.location.hash.slice(1));
  } catch {
    return "";
  }
}
