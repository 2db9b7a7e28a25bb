import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";
import { currentPosition, keepPosition, positionOf, scrollToPosition } from "./positions";

/** Delay after the last scroll event; writing during scrolling would drop frames. */
const SETTLED = 250;

/**
 * Restores the learner's position in the page and stores it after each scroll. An anchor in the address takes precedence. The returned
 * function deletes the position, so that a finished page opens at its top.
 */
export function useReadingPosition(pageId: string, content: RefObject<HTMLElement | null>): () => void {
  const router = useRouter();
  const finished = useRef(false);
  useEffect(() => {
    const blocks = content.current?.firstElementChild?.children;
    if (!blocks) return;
    const restore = () => {
      const anchor = decodedHash();
      const position = positionOf(pageId);
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
  }, [pageId, content, router]);
  return () => {
    finished.current = true;
    keepPosition(pageId, null);
  };
}

/** Whether the page opens at another position than its top. */
export function hasPosition(pageId: string): boolean {
  return decodedHash() !== "" || positionOf(pageId) !== null;
}

function decodedHash(): string {
  try {
    return decodeURIComponent(window.location.hash.slice(1));
  } catch {
    return "";
  }
}
