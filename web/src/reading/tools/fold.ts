/** Whether the sidebar of the reading screen is folded. index.html reads the stored value before the first paint. */
import { createStore } from "@tanstack/react-store";

const KEY = "sidebar";
const root = document.documentElement;

export const folded = createStore(root.dataset.sidebar === "folded");

export function toggleFold() {
  const isFolded = !folded.get();
  if (isFolded) root.dataset.sidebar = "folded";
  else delete root.dataset.sidebar;
  folded.setState(() => isFolded);
  try {
    if (isFolded) localStorage.setItem(KEY, "folded");
    else localStorage.removeItem(KEY);
  } catch {
    // With a full or forbidden storage the next load shows the sidebar.
  }
}

/** Whether a key folds the sidebar or shows it again: Ctrl+\ (⌘\ on a Mac), by physical key and so also on a Russian layout. */
export function isFoldKey(event: KeyboardEvent): boolean {
  return event.code === "Backslash" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
}

/** The name of that key. */
export const foldKeys = () => (/Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘ \\" : "Ctrl+\\");
