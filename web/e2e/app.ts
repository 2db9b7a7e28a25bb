import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

// The few things that several tests touch, by the names a person sees.

export function field(page: Page, label: string): Locator {
  return page.getByLabel(label, { exact: true });
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  // The address changes before the screen does, and the sign-up form has fields of the same names.
  const submit = page.getByRole("button", { name: "Войти" });
  await submit.waitFor();
  await field(page, "Email").fill(email);
  await field(page, "Пароль").fill(password);
  await submit.click();
}

export function toast(page: Page, title: string): Locator {
  return page.getByRole("alert").filter({ hasText: title });
}

export async function openUserMenu(page: Page, shownName: string): Promise<void> {
  await page.getByRole("button", { name: shownName }).click();
}

export function storedToken(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem("access_token"));
}

export function storedTheme(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem("theme"));
}

/** The sidebar's tree of the course. */
export function contents(page: Page): Locator {
  return page.getByRole("navigation", { name: "Содержание курса" });
}

export function pageLink(page: Page, id: string): Locator {
  return contents(page).locator(`a[href="/view-page/${id}"]`);
}

export async function waitForPage(page: Page, id: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === `/view-page/${id}`);
}

/** A lesson in the tree, with its marker. */
export function lessonButton(page: Page, lesson: string, marker: "Пройден" | "Не пройден"): Locator {
  return contents(page).getByRole("button", { name: `${marker} ${lesson}`, exact: true });
}

/** Opens what is closed on the way to a lesson's pages. */
export async function openLesson(page: Page, module: string, lesson: string): Promise<void> {
  const ofModule = contents(page).getByRole("button", { name: module, exact: true });
  const ofLesson = lessonButton(page, lesson, "Пройден").or(lessonButton(page, lesson, "Не пройден"));
  for (const button of [ofModule, ofLesson]) {
    if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
  }
}

/** Waits until the tree shows a page as read. */
export async function waitUntilRead(page: Page, id: string): Promise<void> {
  await contents(page).locator(`a[href="/view-page/${id}"][data-visited]`).waitFor();
}

/** Reads to the end of the page, by the keyboard. */
export async function readToTheEnd(page: Page): Promise<void> {
  await page.getByRole("article").waitFor();
  // The end of what is drawn at first is not the end.
  await page.locator("article [aria-busy=true]").waitFor({ state: "detached" });
  await page.keyboard.press("End");
}

/** Polls a fact that settles a moment later, like what the server has stored. */
export async function eventually<T>(ask: () => Promise<T>, expected: T, what: string): Promise<void> {
  await expect.poll(ask, { message: what }).toEqual(expected);
}
