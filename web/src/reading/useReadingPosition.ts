import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";
import { currentPosition, keepPosition, positionOf, scrollToPosition } from "./positions";

/** Writing while a finger is still moving would cost frames. */
const SETTLED = 250;

/**
 * Opens the page where the reader left it and remembers where they are. An anchor in the address goes first. The returned
 * function forgets the page, so that a finished page opens at its top the next time.
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
    // The router scrolls to the top once it has drawn a new address, and that can be after us.
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

/** Whether the page opens somewhere else than at its top. */
export function hasPlace(pageId: string): boolean {
  return decodedHash() !== "" || positionOf(pageId) !== null;
}

function decodedHash(): string {
  try {
    return decodeURIComponent(window.location.hash.slice(1));
  } catch {
    return "";
  }
}
