/**
 * Handles arrow keys in a tree of buttons and links: up and down move through the visible items, right expands a branch, left
 * collapses it or moves to the parent. Returns whether the key was handled.
 */
export function moveFocus(tree: HTMLElement, key: string): boolean {
  const items = [...tree.querySelectorAll<HTMLElement>("button[aria-expanded], li a[href]")];
  const current = document.activeElement as HTMLElement | null;
  const at = current ? items.indexOf(current) : -1;
  if (!current || at < 0) return false;
  switch (key) {
    case "ArrowDown":
      items[at + 1]?.focus();
      return true;
    case "ArrowUp":
      items[at - 1]?.focus();
      return true;
    case "Home":
      items[0]?.focus();
      return true;
    case "End":
      items.at(-1)?.focus();
      return true;
    case "ArrowRight":
      if (current.getAttribute("aria-expanded") === "false") current.click();
      else if (current.getAttribute("aria-expanded") === "true") items[at + 1]?.focus();
      return true;
    case "ArrowLeft":
      if (current.getAttribute("aria-expanded") === "true") current.click();
      else branchAbove(current)?.focus();
      return true;
    default:
      return false;
  }
}

function branchAbove(item: HTMLElement): HTMLElement | null {
  const list = item.closest("li")?.parentElement;
  return list?.parentElement?.querySelector<HTMLElement>(":scope > button[aria-expanded]") ?? null;
}
