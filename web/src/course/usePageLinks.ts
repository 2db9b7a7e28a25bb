import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, PointerEvent } from "react";

const ROUTE = "/view-page/$pageId";

/** The address of a page, for a plain link inside a container that has `usePageLinks`. */
export function pageHref(pageId: string): string {
  return `/view-page/${pageId}`;
}

/**
 * Makes the plain links to pages inside one container move within the app and load ahead under the pointer. The router's
 * own links each follow the whole state of the router; a thousand of them would be felt.
 */
export function usePageLinks() {
  const router = useRouter();
  return {
    onClick(event: MouseEvent) {
      const pageId = pageOf(event.target);
      const isPlain =
        event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!pageId || !isPlain || event.defaultPrevented) return;
      event.preventDefault();
      void router.navigate({ to: ROUTE, params: { pageId } });
    },
    onPointerOver(event: PointerEvent) {
      const pageId = pageOf(event.target);
      if (pageId && event.pointerType === "mouse")
        void router.preloadRoute({ to: ROUTE, params: { pageId } });
    },
  };
}

function pageOf(target: EventTarget): string | undefined {
  const link =
    target instanceof Element ? target.closest<HTMLAnchorElement>(`a[href^="${pageHref("")}"]`) : null;
  return link?.pathname.slice(pageHref("").length);
}
