import type { BrowserContext, Page } from "@playwright/test";
import { SEED, TIMEOUT_MS, TRIALS } from "./failures.ts";
import { expect, type NewTab, test } from "./fixtures.ts";
import {
  contentField,
  createCourseWithPages,
  expectSaved,
  paragraph,
  publishStored,
  seenPage,
  storedPage,
  textOf,
} from "./page-editor.ts";
import { Random } from "./random.ts";

/**
 * Randomized test: two people edit one page at the same time, each in their own paragraphs, while either network fails at random and the page
 * is published repeatedly. Afterwards both editors and the server must have the same text, which contains every word exactly once, and
 * learners must see it after it is published.
 */

const PARAGRAPHS = 6;
const WRITING_MS = 8_000;
/** A trial takes as long as three trials with one writer. */
const PAIRS = Math.ceil(TRIALS / 3);

test.describe(`keeps the text of two writers (seed ${SEED})`, () => {
  for (let trial = 0; trial < PAIRS; trial += 1) {
    test(`${trial}: each in their own paragraphs`, async ({ server, adminToken, newTab }) => {
      test.setTimeout(4 * TIMEOUT_MS);
      const random = new Random(SEED + trial * 7919);
      const content = {
        type: "doc",
        content: Array.from({ length: PARAGRAPHS }, (_, n) => paragraph(`Абзац ${n}.`)),
      };
      const { courseId, pageId } = await createCourseWithPages(server, adminToken, content);
      const half = PARAGRAPHS / 2;
      const writers = [
        await Writer.open(newTab, adminToken, pageId, { first: 0, count: half }, random),
        await Writer.open(newTab, adminToken, pageId, { first: half, count: half }, random),
      ];
      const until = Date.now() + WRITING_MS;
      const fail = async () => {
        while (Date.now() < until) {
          await pause(random.between(300, 2000));
          const { context } = random.pick(writers);
          await context.setOffline(true);
          await pause(random.between(100, 2500));
          await context.setOffline(false);
        }
      };
      const publish = async () => {
        while (Date.now() < until) {
          await pause(random.between(500, 2500));
          await publishStored(server, adminToken, courseId, { mayConflict: true });
        }
      };
      await Promise.all([...writers.map((writer) => writer.write(until)), fail(), publish()]);

      const stored = async () => textOf((await storedPage(server, adminToken, pageId)).content);
      const states = async () => [
        ...(await Promise.all(writers.map((writer) => writer.shown()))),
        await stored(),
      ];
      for (const { page } of writers) await expectSaved(page, TIMEOUT_MS);
      await expect
        .poll(async () => new Set(await states()).size, {
          message: "the different texts",
          timeout: TIMEOUT_MS,
        })
        .toBe(1);
      const text = await stored();
      for (const word of writers.flatMap(({ words }) => words))
        expect(text.split(word), `${word} is there once`).toHaveLength(2);
      for (const { page } of writers)
        await expect(page.getByRole("button", { name: "Сравнить и выбрать" })).toHaveCount(0);
      await publishStored(server, adminToken, courseId);
      expect(textOf((await seenPage(server, adminToken, pageId)).content), "what learners see").toBe(text);
      // The app reports the provoked failures.
      for (const { consoleErrors } of writers)
        consoleErrors.splice(0, Infinity, ...consoleErrors.filter((error) => error.startsWith("uncaught:")));
      process.stdout.write(
        `two writers: ${writers.map(({ words }) => words.length).join(" and ")} words without a loss (seed ${SEED}, trial ${trial})\n`,
      );
    });
  }
});

/** The paragraphs in which a person writes. */
interface Own {
  first: number;
  count: number;
}

class Writer {
  readonly words: string[] = [];

  private constructor(
    readonly page: Page,
    readonly context: BrowserContext,
    readonly consoleErrors: string[],
    readonly own: Own,
    readonly random: Random,
  ) {}

  static async open(
    newTab: NewTab,
    token: string,
    pageId: string,
    own: Own,
    random: Random,
  ): Promise<Writer> {
    const { page, context, consoleErrors } = await newTab({ token });
    context.setDefaultTimeout(TIMEOUT_MS);
    await page.goto(`/edit-page/${pageId}`);
    await expect(contentField(page)).toBeVisible();
    return new Writer(page, context, consoleErrors, own, random);
  }

  /** Appends unique words to the writer's own paragraphs. */
  async write(until: number): Promise<void> {
    while (Date.now() < until) {
      const at = this.own.first + Math.floor(this.random.next() * this.own.count);
      const word = `<${this.own.first}-${this.words.length}>`;
      await contentField(this.page).locator("> p").nth(at).click();
      await this.page.keyboard.press("End");
      await this.page.keyboard.type(word, { delay: this.random.between(5, 60) });
      this.words.push(word);
      await pause(this.random.between(0, 900));
    }
  }

  shown(): Promise<string> {
    return contentField(this.page).evaluate((field) =>
      [...field.querySelectorAll("p")].map((p) => p.textContent).join(""),
    );
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
