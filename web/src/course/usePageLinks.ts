import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, PointerEvent } from "react";

/** Whether links open the reading screen or the editor. */
export type PageMode = "view" | "edit";

/** Returns a function from a page's id to its address, for plain links inside a container with `usePageLinks`. */
export function usePageHref(mode: PageMode = "view") {
  const { pages = `/${mode}-page/` } = useRouter().options.context;
  return (pageId: string) => pages + pageId;
}

/**
 * Returns event handlers for a container: its plain links to pages navigate within the app and preload on hover. One handler
 * replaces a thousand router links, each of which subscribes to the router's state.
 */
export function usePageLinks(mode?: PageMode) {
  const router = useRouter();
  const base = usePageHref(mode)("");
  const hrefOf = (target: EventTarget) =>
    target instanceof Element && target.closest<HTMLAnchorElement>(`a[href^="${base}"]`)?.pathname;
  return {
    onClick(event: MouseEvent) {
      const href = hrefOf(event.target);
      const isPlain =
        event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!href || !isPlain || event.defaultPrevented) return;
      event.preventDefault();
      void router.navigate({ href });
    },
    onPointerOver(event: PointerEvent) {
      const href = hrefOf(event.target);
      if (href && event.pointerType === "mouse") void router.preloadRoute({ to: ".", href });
    },
  };
}
