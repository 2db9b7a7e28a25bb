import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useState } from "react";
import {
  currentPosition,
  isOwnPlace,
  keepPosition,
  type Position,
  positionOf,
  scrollToPosition,
} from "./positions";
import type { Page } from "./ReadingPage";

/** Delay after the last scroll event; writing during scrolling would drop frames. */
const SETTLED = 250;

/**
 * Restores the learner's position in the page and stores it after each scroll; a place that another device has stored since wins. An anchor
 * in the address takes precedence. A preview neither uses nor changes the positions of the person who looks at it.
 *
 * Returns whether the page opens below its top, whether because it was left there, whether it is finished, and a function that deletes the
 * position, so that a finished page opens at its top.
 */
export function useReadingPosition(page: Page, content: RefObject<HTMLElement | null>) {
  const pageId = page.id;
  const router = useRouter();
  const isPreview = !!router.options.context?.pages;
  const finished = useRef(isPreview);
  const [anchor] = useState(decodedHash);
  const [position] = useState(() => (isPreview || anchor ? null : positionIn(page)));
  useEffect(() => {
    const blocks = content.current?.firstElementChild?.children;
    if (!blocks) return;
    const restore = () => {
      const anchor = decodedHash();
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
  }, [pageId, content, router, position]);
  const forget = () => {
    finished.current = true;
    if (!isPreview) keepPosition(pageId, null);
  };
  return { opensInside: !!(anchor || position), isResumed: !!position, finished, forget };
}

/** The place of another device leads to a block of this version of the page; in another version it is found later. */
function positionIn({ id, version, course }: Page): Position | null {
  const place = course.enrollment?.readingPlace;
  if (place?.pageId !== id || isOwnPlace(place.savedAt)) return positionOf(id);
  const { block, part } = place;
  return place.version === version && block + part > 0 ? { block, part: part / 1000 } : null;
}

function decodedHash(): string {
  try {
    return decodeURIComponent(window.location.hash.slice(1));
  } catch {
    return "";
  }
}
