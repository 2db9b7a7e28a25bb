import { type BrowserContext, expect, type Locator, type Page } from "@playwright/test";

/** Locators and actions of the web app that several test files use. */

export function field(page: Page, label: string): Locator {
  return page.getByLabel(label, { exact: true });
}

export async function signIn(page: Page, email: string, password: string): Promise<void> {
  // The address changes before the screen does, and the sign-up form has fields with the same labels.
  const submit = page.getByRole("button", { name: "Войти" });
  await expect(submit).toBeVisible();
  await field(page, "Email").fill(email);
  await field(page, "Пароль").fill(password);
  await submit.click();
}

/** Ends the session as another window of the same browser does. */
export async function endSessionElsewhere(context: BrowserContext): Promise<void> {
  const other = await context.newPage();
  await other.goto("/api/v1/utils/health-check/");
  await other.evaluate(() => localStorage.removeItem("access_token"));
  await other.close();
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

/** The course contents in the sidebar. */
export function contents(page: Page): Locator {
  return page.getByRole("navigation", { name: "Содержание курса" });
}

export function pageLink(page: Page, id: string): Locator {
  return contents(page).locator(`a[href="/view-page/${id}"]`);
}

/** Waits until the address of a page for learners is open. */
export async function waitForPage(page: Page, id: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === `/view-page/${id}`);
}

/** A lesson in the course contents with its completion marker. */
export function lessonButton(page: Page, lesson: string, marker: "Пройден" | "Не пройден"): Locator {
  return contents(page).getByRole("button", { name: `${marker} ${lesson}`, exact: true });
}

/** Expands a module and a lesson in the course contents. */
export async function expandLesson(page: Page, module: string, lesson: string): Promise<void> {
  const moduleButton = contents(page).getByRole("button", { name: module, exact: true });
  const either = lessonButton(page, lesson, "Пройден").or(lessonButton(page, lesson, "Не пройден"));
  for (const button of [moduleButton, either]) {
    if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
  }
}

/** Expects the course contents to mark a page as visited. */
export async function expectVisited(page: Page, id: string): Promise<void> {
  await expect(contents(page).locator(`a[href="/view-page/${id}"][data-state=completed]`)).toBeVisible();
}

/** Scrolls to the end of the open page with the keyboard. */
export async function scrollToEnd(page: Page): Promise<void> {
  await expect(page.getByRole("article")).toBeVisible();
  // The page grows while its blocks load.
  await expect(page.locator("article [aria-busy=true]")).toHaveCount(0);
  await page.keyboard.press("End");
}

/** Reads the open page to its end, until the server has recorded the visit. The screen shows it before. */
export async function readToEnd(page: Page, id: string): Promise<void> {
  const recorded = page.waitForResponse((response) =>
    Boolean(response.request().postData()?.includes("MarkPageVisited")),
  );
  await scrollToEnd(page);
  await expectVisited(page, id);
  await recorded;
}

/** Presses Tab or Shift+Tab until an element has the focus. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${target}`);
}

/** Types at the end of the focused editable element. */
export async function typeAtEnd(page: Page, field: Locator, text: string): Promise<void> {
  await field.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}
