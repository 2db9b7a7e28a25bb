import type { BrowserContext, Page } from "@playwright/test";
import { admin, type Server } from "../../scripts/server.mjs";
import { expect, type NewTab, test } from "./fixtures.ts";
import { contentField, createCourseWithPages, expectSaved, storedPage, textOf } from "./page-editor.ts";
import { signIn } from "./ui.ts";

/**
 * Randomized tests of unsaved text. An author types. At a random moment the server crashes, the network fails, the tab closes
 * or crashes, or the session ends. Afterwards the server must have every acknowledged save, and the editor must have saved
 * all other characters or offer to restore them. KURSO_LOST_EDITS is the number of trials. KURSO_LOST_EDITS_SEED repeats the
 * trials of an earlier run; playwright.config.ts chooses a seed when it is not set.
 */
const TRIALS = Number(process.env.KURSO_LOST_EDITS ?? 5);
const SEED = Number(process.env.KURSO_LOST_EDITS_SEED);
const TIMEOUT_MS = 120_000;

const FAILURES = ["server", "serverThenTab", "network", "networkThenTab", "tab", "crash", "session"] as const;
type Failure = (typeof FAILURES)[number];

const counts = { trials: 0, typed: 0, acknowledged: 0, offered: 0, saved: 0, lost: 0 };

test.afterAll(() => {
  const { trials, typed, acknowledged, offered, saved, lost } = counts;
  process.stdout.write(
    `lost edits: ${trials} trials (seed ${SEED}), ${typed} characters typed, ${acknowledged} saves acknowledged, ` +
      `${offered} texts offered for restoring, ${saved} saved without asking, ${lost} characters lost\n`,
  );
});

test.describe(`keeps every character (seed ${SEED})`, () => {
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const failure = FAILURES[(SEED + trial) % FAILURES.length] ?? "tab";

    test(`${trial}: ${failure}`, async ({ server, adminToken, newTab }) => {
      test.setTimeout(4 * TIMEOUT_MS);
      const { pageId } = await createCourseWithPages(server, adminToken);
      const storedText = async () => textOf((await storedPage(server, adminToken, pageId)).content);
      const author = await Author.open(newTab, adminToken, pageId, random(SEED + trial * 7919));
      const { text, expected, offered } = await failWhileTyping(failure, author, server, pageId, storedText);

      counts.trials += 1;
      counts.typed += expected.length;
      counts.acknowledged += author.acknowledgements;
      if (offered) counts.offered += 1;
      else counts.saved += 1;
      counts.lost += Math.max(0, expected.length - commonPrefix(text, expected));
      expect(text, "the whole text").toBe(expected);
      expect(text.startsWith(author.acknowledged), "the acknowledged text").toBe(true);
    });
  }
});

interface Outcome {
  /** The text that the server has at the end. */
  text: string;
  expected: string;
  /** Whether the editor offered to restore a text. */
  offered: boolean;
}

async function failWhileTyping(
  failure: Failure,
  author: Author,
  server: Server,
  pageId: string,
  storedText: () => Promise<string>,
): Promise<Outcome> {
  const { page, context } = author;
  const typeMore = () => author.type(author.random() * 2500);
  await author.type(author.random() * 4000);
  let offered = false;
  let expected = () => author.typed;
  switch (failure) {
    case "server":
      await server.crash();
      await typeMore();
      await server.resume();
      await typeMore();
      await expectSaved(page);
      break;
    case "serverThenTab":
      await server.crash();
      await typeMore();
      await page.close();
      await server.resume();
      expect(await storedText()).toContain(author.acknowledged);
      offered = await reopen(context, pageId);
      break;
    case "network":
      await context.setOffline(true);
      await typeMore();
      await context.setOffline(false);
      await typeMore();
      await expectSaved(page);
      break;
    case "networkThenTab":
      await context.setOffline(true);
      await typeMore();
      await page.close();
      await context.setOffline(false);
      offered = await reopen(context, pageId);
      break;
    case "tab":
      await page.close();
      offered = await reopen(context, pageId);
      break;
    case "crash": {
      const devtools = await context.newCDPSession(page);
      const crashed = page.waitForEvent("crash");
      // The renderer dies during this call, which therefore never returns.
      void devtools.send("Page.crash").catch(() => undefined);
      await crashed;
      await page.close();
      offered = await reopen(context, pageId);
      break;
    }
    case "session": {
      await page.evaluate(() => localStorage.setItem("access_token", "expired"));
      await typeMore();
      await page.waitForURL("**/login");
      const shown = String(await page.evaluate(() => sessionStorage.getItem("shown")));
      expect(author.typed.startsWith(shown)).toBe(true);
      expected = () => shown;
      await signIn(page, admin.email, admin.password);
      await page.waitForURL(`**/edit-page/${pageId}`);
      await page.close();
      offered = await reopen(context, pageId);
      break;
    }
  }
  // The app reports the provoked failures.
  author.consoleErrors.length = 0;
  return { text: await storedText(), expected: expected(), offered };
}

/** Opens the page again, restores the unsaved text if the editor offers it, and returns whether it did. */
async function reopen(context: BrowserContext, pageId: string): Promise<boolean> {
  const page = await context.newPage();
  await page.goto(`/edit-page/${pageId}`);
  await expect(contentField(page)).toBeVisible();
  // The editor deletes a draft that equals the stored text, and offers any other.
  const offer = page.getByRole("button", { name: "Вернуть его" });
  const hasDraft = () =>
    page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("kurso-draft:")));
  await expect
    .poll(async () => (await offer.isVisible()) || !(await hasDraft()), { timeout: TIMEOUT_MS })
    .toBe(true);
  const offered = await offer.isVisible();
  if (offered) await offer.click();
  await expectSaved(page, TIMEOUT_MS);
  await page.close();
  return offered;
}

const ALPHABET = "абвгдежзиклмнопрстуфхцчшэюя0123456789 ";

class Author {
  typed = "";
  /** The text of the last save whose answer reached the browser. */
  acknowledged = "";
  acknowledgements = 0;

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    readonly consoleErrors: string[],
    readonly random: () => number,
  ) {
    page.on("response", async (response) => {
      const request = response.request();
      if (!request.url().endsWith("/graphql") || request.postDataJSON()?.operationName !== "SavePage") return;
      const { content } = request.postDataJSON().variables.input;
      const answer = await response.json().catch(() => null);
      if (!answer?.data?.updatePage?.page || !content) return;
      this.acknowledged = textOf(content);
      this.acknowledgements += 1;
    });
  }

  static async open(newTab: NewTab, token: string, pageId: string, random: () => number): Promise<Author> {
    const { page, context, consoleErrors } = await newTab({ token });
    context.setDefaultTimeout(TIMEOUT_MS);
    // After a sign-out the screen no longer shows the text, so it is recorded at each input.
    await page.addInitScript(() => {
      document.addEventListener("input", (event) => {
        const field = event.target instanceof HTMLElement ? event.target.closest(".ProseMirror") : null;
        if (field) sessionStorage.setItem("shown", field.textContent ?? "");
      });
    });
    await page.goto(`/edit-page/${pageId}`);
    await contentField(page).click();
    return new Author(page, context, consoleErrors, random);
  }

  /** Types random characters for about this many milliseconds, or until the editor is closed. */
  async type(forMs: number): Promise<void> {
    const until = Date.now() + forMs;
    do {
      const random = ALPHABET[Math.floor(this.random() * ALPHABET.length)] ?? "а";
      // No two spaces in a row: they are hard to read in a failure.
      const key = random === " " && this.typed.endsWith(" ") ? "ъ" : random;
      await this.page.keyboard.type(key);
      this.typed += key;
      await new Promise((done) => setTimeout(done, this.random() * 60));
    } while (Date.now() < until && new URL(this.page.url()).pathname.startsWith("/edit-page"));
  }
}

/** A pseudorandom number generator (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
