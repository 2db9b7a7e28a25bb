import { whenIdle } from "../../ui/whenIdle";
import type { Language } from "./languages";

/** Limit on cached blocks; enough for several long pages, so that going back shows highlighted code at once. */
const KEPT = 400;
/** Limit in characters; highlighting a longer block would block the page noticeably. */
const LONGEST = 60_000;

const finished = new Map<string, string>();
const waiting: (() => Promise<void>)[] = [];
let running = false;

/** The cached HTML of a highlighted block; null when it is not cached. */
export function highlighted(code: string, language: Language): string | null {
  return finished.get(keyOf(code, language)) ?? null;
}

/**
 * Highlights a block when the browser is idle. Blocks are processed one at a time in the order of the requests, so that scrolling stays
 * smooth. Returns a function that cancels the request.
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
    await new Promise<void>(whenIdle);
    // A grammar fails to load offline or after a new release; the code then stays plain.
    await job().catch(() => {});
  }
  running = false;
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
