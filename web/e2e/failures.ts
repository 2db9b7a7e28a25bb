import type { Page } from "@playwright/test";

/**
 * The seeds, failures and limits of the randomized tests that look for lost text. KURSO_LOST_EDITS is the number of trials. KURSO_LOST_EDITS_SEED repeats the trials of an
 * earlier run; playwright.config.ts chooses a seed when it is not set.
 */
export const TRIALS = Number(process.env.KURSO_LOST_EDITS ?? 5);
export const SEED = Number(process.env.KURSO_LOST_EDITS_SEED);
export const TIMEOUT_MS = 120_000;

const FAILURES = ["server", "serverThenTab", "network", "networkThenTab", "tab", "crash", "session"] as const;
export type Failure = (typeof FAILURES)[number];

/** What fails in a trial: each failure in turn. */
export const failureOf = (trial: number): Failure => FAILURES[(SEED + trial) % FAILURES.length] ?? "tab";

/** Crashes a tab. */
export async function crash(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  // The renderer dies during this call, which therefore never returns.
  void devtools.send("Page.crash").catch(() => undefined);
  await crashed;
}
