import type { Language } from "./languages";

/** Enough for the longest chapter and its neighbours, so that going back shows colours at once. */
const KEPT = 400;
/** A block of this size would hold the page up for longer than its colours are worth. */
const LONGEST = 60_000;

const finished = new Map<string, string>();
const waiting: (() => Promise<void>)[] = [];
let running = false;

/** The coloured HTML of a block that was coloured before, else null. */
export function highlighted(code: string, language: Language): string | null {
  return finished.get(keyOf(code, language)) ?? null;
}

/**
 * Colours a block when the browser has nothing better to do, blocks in the order they were asked for, one at a time, so that
 * a page of sixty blocks stays as quick to scroll as a page of one. Returns a function that gives the wish up.
 */
export function highlightWhenIdle(
  code: string,
  language: Language,
  show: (html: string) => void,
): () => void {
  if (code.length > LONGEST) return () => {};
  let wanted = true;
  waiting.push(async () => {
    if (!wanted) return;
    const { highlight } = await import("./highlighter");
    const html = await highlight(code, language);
    keep(keyOf(code, language), html);
    if (wanted) show(html);
  });
  if (!running) void run();
  return () => {
    wanted = false;
  };
}

async function run(): Promise<void> {
  running = true;
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    await idle();
    // A grammar that could not be loaded (offline, or a new release replaced it) costs the colours only.
    await job().catch(() => {});
  }
  running = false;
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 16);
  });
}

function keyOf(code: string, language: Language): string {
  return `${language}\n${code}`;
}

function keep(key: string, html: string): void {
  finished.set(key, html);
  if (finished.size > KEPT) {
    const oldest = finished.keys().next().value;
    if (oldest !== undefined) finished.delete(oldest);
  }
}
