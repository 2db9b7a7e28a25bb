import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import { signIn } from "./app.ts";
import { newTab, withBrowser } from "./browser.ts";
import { draftCourse, stored, text, textOf, waitUntilSaved } from "./editing.ts";

/**
 * Lost-edit trials. Somebody types; at a random moment the server dies, the network goes, the tab is closed or crashes, or the session
 * ends. Afterwards every save that was acknowledged has to be on the server, and every other letter has to be offered back or to
 * arrive by itself. KURSO_LOST_EDITS says how many trials, KURSO_LOST_EDITS_SEED which ones.
 */
const RUNS = Number(process.env.KURSO_LOST_EDITS ?? 5);
const PATIENCE_MS = 120_000;
const SEED = Number(process.env.KURSO_LOST_EDITS_SEED ?? Date.now() % 1_000_000);

const DISASTERS = [
  "server",
  "serverThenTab",
  "network",
  "networkThenTab",
  "tab",
  "crash",
  "session",
] as const;
type Disaster = (typeof DISASTERS)[number];

let server: Server;
let token: string;
const counts = { trials: 0, typed: 0, acknowledged: 0, offered: 0, byItself: 0, lost: 0 };

withBrowser();
beforeAll(async () => {
  server = await Server.start();
  token = await login(server.url, admin.email, admin.password);
});
afterAll(async () => {
  await server?.stop();
  const { trials, typed, acknowledged, offered, byItself, lost } = counts;
  process.stdout.write(
    `lost edits: ${trials} trials (seed ${SEED}), ${typed} letters typed, ${acknowledged} saves acknowledged, ` +
      `${offered} texts offered back, ${byItself} saved by themselves, ${lost} letters lost\n`,
  );
});

/** The same numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const LETTERS = "абвгдежзиклмнопрстуфхцчшэюя0123456789 ";

class Author {
  typed = "";
  /** Of the last save whose answer came to the browser. */
  acknowledged = "";
  acknowledgements = 0;

  constructor(
    readonly page: Page,
    readonly next: () => number,
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

  /** Types for about so long, letter by letter; ends early when the editor is gone. */
  async type(forMs: number): Promise<void> {
    const until = Date.now() + forMs;
    do {
      const letter = LETTERS[Math.floor(this.next() * LETTERS.length)] ?? "а";
      // Two spaces in a row, or one at the end, would be as good; one letter is simply easier to read in a failure.
      const key = letter === " " && this.typed.endsWith(" ") ? "ъ" : letter;
      await this.page.keyboard.type(key);
      this.typed += key;
      await new Promise((done) => setTimeout(done, this.next() * 60));
    } while (Date.now() < until && new URL(this.page.url()).pathname.startsWith("/edit-page"));
  }
}

/** Opens the page again and takes the unsaved text back when it is offered; answers with the whole text and whether it was. */
async function comeBack(
  context: BrowserContext,
  pageId: string,
): Promise<{ said: string; offered: boolean }> {
  const page = await context.newPage();
  await page.goto(`/edit-page/${pageId}`);
  await text(page).waitFor();
  // A draft that says what is stored anyway goes away by itself; any other is offered.
  const offer = page.getByRole("button", { name: "Вернуть его" });
  const hasDraft = () =>
    page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("kurso-draft:")));
  while (!(await offer.isVisible()) && (await hasDraft())) await new Promise((done) => setTimeout(done, 100));
  const offered = await offer.isVisible();
  if (offered) await offer.click();
  await waitUntilSaved(page);
  const said = await serverSays(pageId);
  await page.close();
  return { said, offered };
}

const serverSays = async (pageId: string) => textOf((await stored(server, token, pageId)).content);

async function trial(disaster: Disaster, next: () => number): Promise<void> {
  const { pageId } = await draftCourse(server, token);
  const { page, context, troubles } = await newTab(server, { token });
  // What is asked is whether letters are lost, however slow the machine is meanwhile.
  context.setDefaultTimeout(PATIENCE_MS);
  // What the author saw last, written at each letter: after a sign-out the text itself is gone from the screen.
  await page.addInitScript(() => {
    document.addEventListener("input", (event) => {
      const field = event.target instanceof HTMLElement ? event.target.closest(".ProseMirror") : null;
      if (field) sessionStorage.setItem("seen", field.textContent ?? "");
    });
  });
  await page.goto(`/edit-page/${pageId}`);
  await text(page).click();
  const author = new Author(page, next);
  await author.type(next() * 4000);

  let expected = () => author.typed;
  let outcome: { said: string; offered: boolean };
  const awhile = () => author.type(next() * 2500);
  switch (disaster) {
    case "server":
      await server.crash();
      await awhile();
      await server.resume();
      await awhile();
      await waitUntilSaved(page);
      outcome = { said: await serverSays(pageId), offered: false };
      break;
    case "serverThenTab":
      await server.crash();
      await awhile();
      await page.close();
      await server.resume();
      expect(await serverSays(pageId)).toContain(author.acknowledged);
      outcome = await comeBack(context, pageId);
      break;
    case "network":
      await context.setOffline(true);
      await awhile();
      await context.setOffline(false);
      await awhile();
      await waitUntilSaved(page);
      outcome = { said: await serverSays(pageId), offered: false };
      break;
    case "networkThenTab":
      await context.setOffline(true);
      await awhile();
      await page.close();
      await context.setOffline(false);
      outcome = await comeBack(context, pageId);
      break;
    case "tab":
      await page.close();
      outcome = await comeBack(context, pageId);
      break;
    case "crash": {
      const devtools = await context.newCDPSession(page);
      // The renderer dies in the middle of whatever it does; the call never has an answer.
      const crashed = page.waitForEvent("crash");
      void devtools.send("Page.crash").catch(() => undefined);
      await crashed;
      await page.close();
      outcome = await comeBack(context, pageId);
      break;
    }
    case "session": {
      await page.evaluate(() => localStorage.setItem("access_token", "expired"));
      await awhile();
      await page.waitForURL("**/login");
      const seen = String(await page.evaluate(() => sessionStorage.getItem("seen")));
      expect(author.typed.startsWith(seen)).toBe(true);
      expected = () => seen;
      await signIn(page, admin.email, admin.password);
      await page.waitForURL((url) => url.pathname === "/");
      outcome = await comeBack(context, pageId);
      break;
    }
  }
  troubles.length = 0;
  await context.close();

  const { said, offered } = outcome;
  const whole = expected();
  counts.trials += 1;
  counts.typed += whole.length;
  counts.acknowledged += author.acknowledgements;
  if (offered) counts.offered += 1;
  else counts.byItself += 1;
  counts.lost += Math.max(0, whole.length - common(said, whole));
  expect(said, "the whole text").toBe(whole);
  expect(said.startsWith(author.acknowledged), "what was acknowledged").toBe(true);
}

/** How many letters the two begin with alike. */
function common(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

describe(`no letter is lost (seed ${SEED})`, () => {
  test.each(
    Array.from({ length: RUNS }, (_, run) => ({
      run,
      disaster: DISASTERS[(SEED + run) % DISASTERS.length] ?? "tab",
    })),
  )(
    "$run: $disaster",
    async ({ run, disaster }) => {
      await trial(disaster, random(SEED + run * 7919));
    },
    4 * PATIENCE_MS,
  );
});
