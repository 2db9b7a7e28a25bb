import { useApolloClient } from "@apollo/client/react";
import { type RefObject, useLayoutEffect } from "react";
import { currentPosition, ownPlace } from "../positions";
import type { Page } from "../ReadingPage";
import { headingAbove } from "./changedPlace";
import { KeepReadingPlaceDocument } from "./ReadingPlace.generated";

/** How long the window has to stand still before its place is sent. */
const PAUSE_MS = 4000;
/** The least time between two places that are sent while the page is open. */
const BETWEEN_MS = 15_000;

/**
 * Sends the place in the page to the server, for the learner's other devices: when reading pauses, and when the page is hidden or left. What
 * cannot be sent is dropped, because the next place replaces it. A finished page has its start as the place.
 */
export function useKeptPlace(
  page: Page,
  content: RefObject<HTMLElement | null>,
  finished: RefObject<boolean>,
) {
  const client = useApolloClient();
  const { id, version } = page;
  // A layout effect ends while the blocks are still in the document.
  useLayoutEffect(() => {
    const blocks = content.current?.firstElementChild?.children;
    if (!blocks) return;
    const openedAt = Date.now();
    let sentAt = 0;
    let sent = "";
    let timer: ReturnType<typeof setTimeout> | undefined;
    const placeNow = () => {
      const position = finished.current ? null : currentPosition(blocks);
      return {
        pageId: id,
        version,
        block: position?.block ?? 0,
        part: Math.round((position?.part ?? 0) * 1000),
        heading: position && headingAbove(page.content, position.block),
      };
    };
    const send = (isLeaving: boolean) => {
      clearTimeout(timer);
      const input = placeNow();
      const text = JSON.stringify(input);
      const now = Date.now();
      if (text === sent || now - openedAt < PAUSE_MS) return;
      if (!isLeaving && now - sentAt < BETWEEN_MS) {
        timer = setTimeout(() => send(false), sentAt + BETWEEN_MS - now);
        return;
      }
      sent = text;
      sentAt = now;
      client
        .mutate({
          mutation: KeepReadingPlaceDocument,
          variables: { input },
          // The place arrives although the reader closes the window at once.
          context: { fetchOptions: { keepalive: true } },
        })
        .then(({ data }) => {
          const place = data?.keepReadingPlace.course.enrollment?.readingPlace;
          if (place) ownPlace(place.savedAt);
        })
        .catch(() => {
          sent = "";
        });
    };
    const pause = () => {
      clearTimeout(timer);
      timer = setTimeout(() => send(false), PAUSE_MS);
    };
    const hide = () => {
      if (document.hidden) send(true);
    };
    pause();
    window.addEventListener("scroll", pause, { passive: true });
    document.addEventListener("visibilitychange", hide);
    return () => {
      window.removeEventListener("scroll", pause);
      document.removeEventListener("visibilitychange", hide);
      send(true);
      clearTimeout(timer);
    };
  }, [client, id, version, page.content, content, finished]);
}
