import { type RefObject, useEffect, useRef } from "react";

/** The bar above a page: what sticks below it reads from `--k-edit-top` where it ends, because its height varies. */
export function useEditTop(): RefObject<HTMLDivElement | null> {
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const bar = head.current;
    if (!bar) return;
    const observer = new ResizeObserver(() => {
      const below = bar.offsetHeight + (Number.parseFloat(getComputedStyle(bar).top) || 0);
      bar.parentElement?.style.setProperty("--k-edit-top", `${below}px`);
    });
    observer.observe(bar);
    return () => observer.disconnect();
  }, []);
  return head;
}
