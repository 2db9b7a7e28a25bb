import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, PointerEvent } from "react";

/** Whether links open the reading screen or the editor. */
export type PageMode = "view" | "edit";

/** Returns the address of a page, for a plain link inside a container with `usePageLinks`. */
export function pageHref(pageId: string, mode: PageMode = "view"): string {
  return `/${mode}-page/${pageId}`;
}

/**
 * Returns event handlers for a container: its plain links to pages navigate within the app and preload on hover. One handler
 * replaces a thousand router links, each of which subscribes to the router's state.
 */
export function usePageLinks(mode: PageMode = "view") {
  const router = useRouter();
  const to = `/${mode}-page/$pageId` as const;
  const pageOf = (target: EventTarget) => {
    const base = pageHref("", mode);
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>(`a[href^="${base}"]`) : null;
    return link?.pathname.slice(base.length);
  };
  return {
    onClick(event: MouseEvent) {
      const pageId = pageOf(event.target);
      const isPlain =
        event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!pageId || !isPlain || event.defaultPrevented) return;
      event.preventDefault();
      void router.navigate({ to, params: { pageId } });
    },
    onPointerOver(event: PointerEvent) {
      const pageId = pageOf(event.target);
      if (pageId && event.pointerType === "mouse") void router.preloadRoute({ to, params: { pageId } });
    },
  };
}
