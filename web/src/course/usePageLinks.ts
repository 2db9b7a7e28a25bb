import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, PointerEvent } from "react";

/** A page is read at one address and written at another. */
export type PageMode = "view" | "edit";

/** The address of a page, for a plain link inside a container that has `usePageLinks`. */
export function pageHref(pageId: string, mode: PageMode = "view"): string {
  return `/${mode}-page/${pageId}`;
}

/**
 * Makes the plain links to pages inside one container move within the app and load ahead under the pointer. The router's
 * own links each follow the whole state of the router; a thousand of them would be felt.
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
