import { type RefObject, useEffect, useState } from "react";

const listeners = new WeakMap<Element, () => void>();
/** One observer for all blocks of all documents: sixty of them would cost sixty layouts. */
const observer =
  typeof ResizeObserver === "undefined"
    ? null
    : new ResizeObserver((entries) => {
        for (const entry of entries) listeners.get(entry.target)?.();
      });

/** Whether the element's content is wider than the element, so that it has to be reachable with the keyboard to be scrolled. */
export function useOverflows(element: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (!target || !observer) return;
    listeners.set(target, () => setOverflows(target.scrollWidth > target.clientWidth));
    observer.observe(target);
    return () => {
      observer.unobserve(target);
      listeners.delete(target);
    };
  }, [element]);
  return overflows;
}
