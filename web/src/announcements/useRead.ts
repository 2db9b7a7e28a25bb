import { useApolloClient } from "@apollo/client/react";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { markRead } from "./actions";
import type { Announcement } from "./list";

/** After this time on the screen, an announcement was read. */
const READ_MS = 1000;
/** Announcements seen within this time are sent in one request. */
const TOGETHER_MS = 400;
/** The server takes this many in one request. */
const MOST = 100;

/** Announcements that were seen but not sent yet, by course. */
const seen = new Map<string, Set<string>>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Marks an announcement as read when most of it, or as much as fits, was on the screen for a while. Returns whether it was unread at first:
 * it stays marked for its reader while it is listed.
 */
export function useRead(
  element: RefObject<HTMLElement | null>,
  { id, courseId }: Pick<Announcement, "id" | "courseId">,
  isRead: boolean,
): boolean {
  const client = useApolloClient();
  const [wasUnread, setWasUnread] = useState(!isRead);
  if (!isRead && !wasUnread) setWasUnread(true);
  // A failed request makes it unread again. It is not repeated before the next visit.
  const isSent = useRef(false);
  const read = useEffectEvent(() => {
    isSent.current = true;
    seen.set(courseId, (seen.get(courseId) ?? new Set()).add(id));
    clearTimeout(timer);
    timer = setTimeout(() => {
      const all = [...seen];
      seen.clear();
      for (const [course, ids] of all)
        for (let at = 0; at < ids.size; at += MOST)
          void markRead(client, course, [...ids].slice(at, at + MOST));
    }, TOGETHER_MS);
  });
  useEffect(() => {
    const article = element.current;
    if (isRead || isSent.current || !article) return;
    let wait: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        clearTimeout(wait);
        if (entry && isMostlyShown(entry))
          wait = setTimeout(() => document.visibilityState === "visible" && read(), READ_MS);
      },
      { threshold: [0, 0.1, 0.25, 0.5, 0.75] },
    );
    observer.observe(article);
    return () => {
      clearTimeout(wait);
      observer.disconnect();
    };
  }, [element, isRead]);
  return wasUnread;
}

/** Whether half of the element is on the screen, or the element fills half of the screen. */
function isMostlyShown({
  isIntersecting,
  intersectionRatio,
  intersectionRect,
  rootBounds,
}: IntersectionObserverEntry) {
  const height = rootBounds?.height ?? window.innerHeight;
  return isIntersecting && (intersectionRatio >= 0.5 || intersectionRect.height >= height / 2);
}
