/** The reading position in a page: the block at the top of the screen, and the share of it above the screen. */
export interface Position {
  block: number;
  /** 0 at the block's top, 1 at the top of the next block; independent of the window's size and the font. */
  part: number;
}

const KEY = "reading-positions";
/** Limit on stored positions; the least recently changed are deleted. */
const KEPT = 300;

type Stored = Record<string, [block: number, part: number]>;

function load(): Stored {
  try {
    // `Object(null)` is an empty object.
    return Object(JSON.parse(localStorage.getItem(KEY) ?? "null"));
  } catch {
    return {};
  }
}

export function positionOf(pageId: string): Position | null {
  const { 0: block, 1: part } = Object(load()[pageId]);
  return Number.isInteger(block) && block >= 0 && part >= 0 && part <= 1 ? { block, part } : null;
}

/** Stores a position; null deletes it, so that the page opens at its top. */
export function keepPosition(pageId: string, position: Position | null): void {
  const { [pageId]: _, ...others } = load();
  const kept = position
    ? { ...others, [pageId]: [position.block, Math.round(position.part * 1000) / 1000] }
    : others;
  // Object keys keep their insertion order, so the first are the oldest.
  const entries = Object.entries(kept).slice(-KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // With a full or forbidden storage the page opens at its top.
  }
}

const OWN = "reading-place";

/** Whether the place on the server is one that this device has stored or followed; then its own position is at least as late. */
export function isOwnPlace(savedAt: string): boolean {
  try {
    return localStorage.getItem(OWN) === savedAt;
  } catch {
    return false;
  }
}

export function ownPlace(savedAt: string): void {
  try {
    localStorage.setItem(OWN, savedAt);
  } catch {
    // With a full or forbidden storage the place is followed again.
  }
}

/** The height of the bar that covers the top of a small window (shell/Shell.module.css). */
const barHeight = () => (matchMedia("(min-width: 64em)").matches ? 0 : 52);

/** The top and height of a block. The space below it belongs to it, because a window can end there. */
function extentOf(blocks: HTMLCollection, index: number) {
  const box = blocks[index]?.getBoundingClientRect();
  const next = blocks[index + 1]?.getBoundingClientRect();
  return box && { top: box.top, height: next ? next.top - box.top : box.height };
}

/** The window's position within these blocks; null while the first block is visible. */
export function currentPosition(blocks: HTMLCollection): Position | null {
  const bar = barHeight();
  let position: Position | null = null;
  for (let index = 0; index < blocks.length; index += 1) {
    const box = extentOf(blocks, index);
    if (!box || box.top > bar) break;
    position = { block: index, part: box.height > 0 ? Math.min(1, (bar - box.top) / box.height) : 0 };
  }
  return position && position.block === 0 && position.part < 1 ? null : position;
}

export function scrollToPosition(blocks: HTMLCollection, position: Position): void {
  const box = extentOf(blocks, position.block);
  if (box)
    window.scrollTo({
      top: window.scrollY + box.top + box.height * position.part - barHeight(),
      behavior: "instant",
    });
}
