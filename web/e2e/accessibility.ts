import type { Page } from "@playwright/test";
import axe from "axe-core";
import { expect, type Theme, viewports } from "./fixtures.ts";

/** The rules of axe that depend on colors. All other rules find the same in both themes, because a theme changes colors only. */
const colorRules = ["color-contrast", "link-in-text-block"];

/**
 * Runs axe on the whole page and fails with the violations and their places. `known` maps a rule to a selector of elements
 * whose violations a dependency has to fix. `rules` limits the run to some rules.
 */
export async function expectAccessible(
  page: Page,
  screen: string,
  { known = {}, rules }: { known?: Record<string, string>; rules?: string[] } = {},
): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(
    async ({ known, rules }) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run(document, {
        resultTypes: ["violations"],
        ...(rules && { runOnly: rules }),
      });
      return violations.flatMap((violation) =>
        violation.nodes
          .filter(({ target }) => {
            const selector = known[violation.id];
            return selector === undefined || !document.querySelector(String(target[0]))?.matches(selector);
          })
          .map((node) => `${violation.id}: ${node.target.join(" ")}\n  ${node.failureSummary ?? ""}`),
      );
    },
    { known, rules },
  );
  expect(found, `axe on ${screen}`).toEqual([]);
}

/** Checks the page in both themes with axe. Ends in the dark one. */
export async function expectAccessibleInBothThemes(page: Page, screen: string): Promise<void> {
  await applyTheme(page, "light");
  await expectAccessible(page, `${screen}, light`);
  await applyTheme(page, "dark");
  await expectAccessible(page, `${screen}, dark`, { rules: colorRules });
}

/**
 * Checks the page in every viewport and in both themes with axe, and that it does not scroll horizontally. Resizes the open
 * page instead of loading it again, so that the screen's reaction to a resize is checked too. Ends in the desktop viewport.
 */
export async function expectAccessibleEverywhere(page: Page, screen: string): Promise<void> {
  for (const [name, viewport] of Object.entries(viewports)) {
    await resize(page, viewport);
    await expectAccessibleInBothThemes(page, `${screen}, ${name}`);
    await expectNoHorizontalScroll(page, `${screen}, ${name}`);
  }
}

/** Switches the theme of the open page the way the app does when the theme is chosen in another tab. */
export async function applyTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((theme) => {
    // axe would see colors in the middle of a transition, and no colors in content that is not painted yet.
    const still = new CSSStyleSheet();
    still.replaceSync("* { transition: none !important; content-visibility: visible !important; }");
    document.adoptedStyleSheets = [still];
    localStorage.setItem("theme", theme);
    window.dispatchEvent(
      new StorageEvent("storage", { key: "theme", newValue: theme, storageArea: localStorage }),
    );
  }, theme);
  await page.locator(`html[data-theme=${theme}]`).waitFor();
}

/** Resizes the viewport and waits until the page has drawn itself in it. */
export async function resize(page: Page, viewport: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(viewport);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}

export async function expectNoHorizontalScroll(page: Page, screen: string): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content, `${screen} scrolls horizontally`).toBeLessThanOrEqual(window ?? 0);
}
