import { type RefObject, useEffect, useState } from "react";

const listeners = new WeakMap<Element, () => void>();
/** One observer for all blocks, because each observer costs a layout. */
const observer =
  typeof ResizeObserver === "undefined"
    ? null
    : new ResizeObserver((entries) => {
        for (const entry of entries) listeners.get(entry.target)?.();
      });

/** Whether the element's content overflows horizontally; it must then be focusable, so that the keyboard can scroll it. */
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
