import { type RefObject, useEffect, useEffectEvent, useState } from "react";

/** After this time on the screen, a thread was read. */
const READ_MS = 1000;

/** Calls `onSeen` with the newest comment when an unread thread was on the screen for a while. Returns whether it was unread at first. */
export function useSeen(
  card: RefObject<HTMLElement | null>,
  isUnread: boolean,
  newest: string | undefined,
  onSeen: (newest: string) => void,
): boolean {
  // The thread stays marked for its reader while it is listed.
  const [wasUnread, setWasUnread] = useState(isUnread);
  if (isUnread && !wasUnread) setWasUnread(true);
  const seen = useEffectEvent(onSeen);
  useEffect(() => {
    const element = card.current;
    if (!isUnread || !newest || !element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer);
      if (entry?.isIntersecting)
        timer = setTimeout(() => document.visibilityState === "visible" && seen(newest), READ_MS);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [card, isUnread, newest]);
  return wasUnread;
}
