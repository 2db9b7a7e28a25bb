import { useEffect, useEffectEvent } from "react";

/** Elements that use the arrow keys: text fields, players, horizontal scroll areas, menus, dialogs and quizzes. */
const BUSY = [
  "input, textarea, select, [contenteditable]:not([contenteditable=false])",
  "audio, video, iframe",
  "pre, [role=group][tabindex='0']",
  "[role=menu], [role=tree], [role=listbox], [role=slider], [role=tablist], [role=radiogroup]",
  "dialog[open], [role=dialog]",
  "[data-arrows]",
].join(",");

/** Handles the left and right arrow keys, except where the focused element uses them. */
export function useArrowKeys(onArrow: (direction: "previous" | "next") => void) {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest(BUSY)) return;
    // An open dialog covers the page even when it has lost the focus.
    if (document.querySelector("dialog[open], [role=dialog][aria-modal=true]")) return;
    onArrow(event.key === "ArrowLeft" ? "previous" : "next");
  });
  useEffect(() => {
    window.addEventListener("keydown", handle);
    return () => window.removeEventListener("keydown", handle);
  }, []);
}
