import type { BrowserContext, Page } from "@playwright/test";
import type { Editor } from "@tiptap/core";
import { admin, type Server } from "../../scripts/server.mjs";
import { crash, type Failure, failureOf, SEED, TIMEOUT_MS, TRIALS } from "./failures.ts";
import { expect, type NewTab, test } from "./fixtures.ts";
import {
  contentField,
  createCourseWithPages,
  expectSaved,
  publishStored,
  type StoredNode,
  seenPage,
  storedPage,
} from "./page-editor.ts";
import { Random } from "./random.ts";
import { meaningOf, RandomEdits } from "./random-edits.ts";
import { signIn } from "./ui.ts";

/**
 * Randomized tests of unsaved text. An author types, pastes, edits tables, deletes, undoes and redoes. At a random moment the server
 * crashes, the network fails, the tab closes or crashes, or the session ends. Afterwards the server must have every acknowledged
 * save, and the editor must have saved the page as it was last shown, or restore it, or offer to. Learners must see nothing of it
 * before it is published, and exactly that text afterwards.
 */

const counts = { trials: 0, characters: 0, acknowledged: 0, offered: 0, saved: 0 };
const made: Record<string, number> = {};

test.afterAll(() => {
  const { trials, characters, acknowledged, offered, saved } = counts;
  const edits = Object.entries(made).map(([name, times]) => `${name} ${times}`);
  process.stdout.write(
    `lost edits: ${trials} trials without a loss (seed ${SEED}), ${characters} characters put in, ${acknowledged} saves acknowledged, ` +
      `${offered} texts offered for restoring, ${saved} saved without asking; ${edits.join(", ")}\n`,
  );
});

test.describe(`keeps every edit (seed ${SEED})`, () => {
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const failure = failureOf(trial);

    test(`${trial}: ${failure}`, async ({ server, adminToken, newTab }) => {
      test.setTimeout(4 * TIMEOUT_MS);
      const { courseId, pageId } = await createCourseWithPages(server, adminToken);
      const seen = async () => meaningOf((await seenPage(server, adminToken, pageId)).content);
      const seenBefore = await seen();
      const stored = async () => meaningOf((await storedPage(server, adminToken, pageId)).content);
      const author = await Author.open(newTab, adminToken, pageId, new Random(SEED + trial * 7919));
      const { expected, offered } = await failWhileEditing(failure, author, server, pageId, stored);

      expect(await stored(), "the page as it was last shown").toEqual(meaningOf(expected));
      expect(await seen(), "what learners see before it is published").toEqual(seenBefore);
      await publishStored(server, adminToken, courseId);
      expect(await seen(), "what learners see after it was published").toEqual(meaningOf(expected));
      counts.trials += 1;
      counts.characters += author.edits.characters;
      counts.acknowledged += author.acknowledgements;
      if (offered) counts.offered += 1;
      else counts.saved += 1;
      for (const [name, times] of Object.entries(author.edits.made)) made[name] = (made[name] ?? 0) + times;
    });
  }
});

interface Outcome {
  /** The document that the editor showed last. */
  expected: StoredNode;
  /** Whether the editor offered to restore a text. */
  offered: boolean;
}

async function failWhileEditing(
  failure: Failure,
  author: Author,
  server: Server,
  pageId: string,
  stored: () => Promise<unknown>,
): Promise<Outcome> {
  const { page, context, edits } = author;
  const editMore = () => edits.edit(edits.random.next() * 2500);
  await edits.edit(edits.random.next() * 4000);
  let offered = false;
  let expected = await edits.shown();
  switch (failure) {
    case "server":
      await server.crash();
      await editMore();
      await server.resume();
      await editMore();
      await expectSaved(page);
      expected = await edits.shown();
      break;
    case "serverThenTab":
      await server.crash();
      await editMore();
      expected = await edits.shown();
      await page.close();
      await server.resume();
      author.expectAcknowledged(await stored());
      offered = await reopen(context, pageId);
      break;
    case "network":
      await context.setOffline(true);
      await editMore();
      await context.setOffline(false);
      await editMore();
      await expectSaved(page);
      expected = await edits.shown();
      break;
    case "networkThenTab":
      await context.setOffline(true);
      await editMore();
      expected = await edits.shown();
      await page.close();
      await context.setOffline(false);
      author.expectAcknowledged(await stored());
      offered = await reopen(context, pageId);
      break;
    case "tab":
      await page.close();
      offered = await reopen(context, pageId);
      break;
    case "crash":
      await crash(page);
      await page.close();
      offered = await reopen(context, pageId);
      break;
    case "session": {
      await page.evaluate(() => localStorage.setItem("access_token", "expired"));
      await editMore();
      await page.waitForURL("**/login");
      expected = await author.lastShown();
      await signIn(page, admin.email, admin.password);
      await page.waitForURL(`**/edit-page/${pageId}`);
      await page.close();
      offered = await reopen(context, pageId);
      break;
    }
  }
  // The app reports the provoked failures.
  author.consoleErrors.length = 0;
  return { expected, offered };
}

/** Opens the page again, restores the unsaved text if the editor offers it, and returns whether it did. */
async function reopen(context: BrowserContext, pageId: string): Promise<boolean> {
  const page = await context.newPage();
  await page.goto(`/edit-page/${pageId}`);
  await expect(contentField(page)).toBeVisible();
  // The editor deletes a draft that equals the stored text, and restores or offers any other.
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

class Author {
  /** What each save sent, and the number of the last one whose answer reached the browser. */
  readonly #sent: unknown[] = [];
  #acknowledged = -1;
  acknowledgements = 0;
  readonly edits: RandomEdits;

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    readonly consoleErrors: string[],
    random: Random,
  ) {
    this.edits = new RandomEdits(page, random);
    page.on("response", async (response) => {
      const request = response.request();
      if (!request.url().endsWith("/graphql") || request.postDataJSON()?.operationName !== "SavePage") return;
      const { content } = request.postDataJSON().variables.input;
      if (!content) return;
      const number = this.#sent.push(meaningOf(content)) - 1;
      const answer = await response.json().catch(() => null);
      if (!answer?.data?.updatePage?.page) return;
      this.#acknowledged = number;
      this.acknowledgements += 1;
    });
  }

  static async open(newTab: NewTab, token: string, pageId: string, random: Random): Promise<Author> {
    const { page, context, consoleErrors } = await newTab({ token });
    context.setDefaultTimeout(TIMEOUT_MS);
    const author = new Author(page, context, consoleErrors, random);
    await page.goto(`/edit-page/${pageId}`);
    await contentField(page).click();
    // After a sign-out the screen no longer shows the text, so each state is recorded.
    await contentField(page).evaluate((element) => {
      const { editor } = element as HTMLElement & { editor: Editor };
      editor.on("transaction", () => sessionStorage.setItem("shown", JSON.stringify(editor.getJSON())));
    });
    return author;
  }

  /** The last document that the editor showed before it was closed. */
  lastShown(): Promise<StoredNode> {
    return this.page.evaluate(() => JSON.parse(String(sessionStorage.getItem("shown"))));
  }

  /** Expects the page on the server to be the last acknowledged save, or one that was sent after it. */
  expectAcknowledged(stored: unknown): void {
    if (this.#acknowledged < 0) return;
    expect(this.#sent.slice(this.#acknowledged), "the acknowledged save").toContainEqual(stored);
  }
}
