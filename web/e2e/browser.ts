import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { chromiumPath } from "../../scripts/chromium.mjs";
import { login } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import type { Person } from "./people.ts";

export const sizes = {
  phone: { width: 375, height: 812 },
  tablet: { width: 768, height: 1024 },
  desk: { width: 1440, height: 900 },
} as const;
export type Theme = "light" | "dark";

/** A page of a fresh profile, and what went wrong in it without anybody looking. */
export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Uncaught errors, refusals of the content security policy, and whatever else the console shows in red. */
  troubles: string[];
}

let browser: Browser;
const open: Tab[] = [];

/**
 * Gives a file of tests its browser. Every tab is closed after its test, which fails when the console showed an error, unless
 * it is not asked.
 */
export function withBrowser({ asksConsole = true } = {}): void {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: chromiumPath(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
  });
  afterAll(async () => {
    await browser?.close();
  });
  afterEach(async () => {
    const troubles = open.flatMap((tab) => tab.troubles);
    await Promise.all(open.splice(0).map((tab) => tab.context.close()));
    if (asksConsole) expect(troubles, "the browser's console").toEqual([]);
  });
}

export async function newTab(
  server: Server,
  options: {
    size?: keyof typeof sizes;
    theme?: Theme;
    token?: string;
    locale?: string;
    /** A finger in place of a pointer. */
    touch?: boolean;
  } = {},
): Promise<Tab> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: sizes[options.size ?? "desk"],
    locale: options.locale ?? "ru-RU",
    reducedMotion: "reduce",
    ...(options.touch && { hasTouch: true, isMobile: true }),
  });
  // Generous: what is asked is whether something comes, not how fast a busy machine brings it.
  context.setDefaultTimeout(30_000);
  const { token, theme } = options;
  if (token !== undefined || theme !== undefined) {
    // Before the first page only: what the app stores or removes later stays as the app left it.
    await context.addInitScript(
      ({ token, theme }) => {
        if (sessionStorage.getItem("prepared")) return;
        sessionStorage.setItem("prepared", "yes");
        if (token !== undefined) localStorage.setItem("access_token", token);
        if (theme !== undefined) localStorage.setItem("theme", theme);
      },
      { token, theme },
    );
  }
  const page = await context.newPage();
  const tab: Tab = { page, context, troubles: [] };
  page.on("pageerror", (error) => tab.troubles.push(`uncaught: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    // A refused or failed request is logged by the browser itself; tests that provoke one look at the screen instead.
    if (
      message.type() === "error" &&
      !/^(Failed to load resource|WebSocket connection to)/.test(message.text())
    ) {
      tab.troubles.push(`console: ${message.text()}`);
    }
  });
  open.push(tab);
  return tab;
}

export async function signedIn(
  server: Server,
  who: Pick<Person, "email" | "password">,
  options: { size?: keyof typeof sizes; theme?: Theme } = {},
): Promise<Tab> {
  return newTab(server, { ...options, token: await login(server.url, who.email, who.password) });
}

/** The names of the GraphQL operations that a page sends, in order. */
export function watchOperations(page: Page): string[] {
  const names: string[] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/graphql")) return;
    const body = request.postDataJSON() as { operationName?: string } | null;
    names.push(body?.operationName ?? "(unnamed)");
  });
  return names;
}

/**
 * Runs axe over the whole page as it stands and fails with what it found and where. `known`, a selector by rule, is somebody
 * else's to mend.
 */
export async function expectAccessible(
  page: Page,
  screen: string,
  { known = {} }: { known?: Record<string, string> } = {},
): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(
    async ({ known }) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run(document, { resultTypes: ["violations"] });
      return violations.flatMap((violation) =>
        violation.nodes
          .filter(({ target }) => {
            const selector = known[violation.id];
            return selector === undefined || !document.querySelector(String(target[0]))?.matches(selector);
          })
          .map((node) => `${violation.id}: ${node.target.join(" ")}\n  ${node.failureSummary ?? ""}`),
      );
    },
    { known },
  );
  expect(found, `axe on ${screen}`).toEqual([]);
}

/**
 * The page as it stands, at every size and in both themes: axe finds nothing, and nothing scrolls sideways. Loaded once and
 * then given another window, so that what a screen does when its window changes is looked at too. Leaves it on a desk.
 */
export async function expectFineEverywhere(page: Page, screen: string): Promise<void> {
  for (const [size, room] of Object.entries(sizes)) {
    await resize(page, room);
    for (const theme of ["light", "dark"] as const) {
      await wear(page, theme);
      await expectAccessible(page, `${screen}, ${theme}, ${size}`);
    }
    await expectNoSidewaysScroll(page, `${screen}, ${size}`);
  }
}

/** Shows the page that is open in another theme, as the app itself does when it is chosen in another tab. */
export async function wear(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((theme) => {
    // What glides to its new colour, and what is out of sight and not painted, would be seen half-way.
    const still = new CSSStyleSheet();
    still.replaceSync("* { transition: none !important; content-visibility: visible !important; }");
    document.adoptedStyleSheets = [still];
    localStorage.setItem("theme", theme);
    window.dispatchEvent(
      new StorageEvent("storage", { key: "theme", newValue: theme, storageArea: localStorage }),
    );
  }, theme);
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
}

/** Gives a page another window, and it the time to notice. */
export async function resize(page: Page, room: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(room);
  await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
}

/** No screen may be wider than its window: a page that scrolls sideways is broken on a phone. */
export async function expectNoSidewaysScroll(page: Page, screen: string): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content, `${screen} scrolls sideways`).toBeLessThanOrEqual(window ?? 0);
}
