import { useEffect } from "react";

/**
 * Links of the page ignore the second click of a double click: the first one may have put them under the pointer, such as the click that
 * submits answers, whose form then disappears.
 */
export function useSecondClick(): void {
  useEffect(() => {
    const ignore = (event: MouseEvent) => {
      if (event.detail < 2 || !(event.target instanceof Element) || !event.target.closest("a")) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the handlers of the links.
    document.addEventListener("click", ignore, true);
    return () => document.removeEventListener("click", ignore, true);
  }, []);
}
