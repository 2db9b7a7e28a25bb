/** Room above a block for the bars at the top, in pixels. */
const ABOVE = 150;

/** Scrolls a block to the upper part of the window, which no panel covers. */
export function scrollToBlock(block: HTMLElement | null): void {
  if (!block) return;
  const { top, bottom } = block.getBoundingClientRect();
  if (top >= ABOVE && bottom <= window.innerHeight / 3) return;
  window.scrollTo({ top: top + window.scrollY - ABOVE });
}
