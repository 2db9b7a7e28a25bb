import type { BrowserContext, Locator, Page } from "@playwright/test";
import { graphql } from "../../scripts/client.mjs";
import type { Server } from "../../scripts/server.mjs";
import type { Account } from "./api.ts";
import { createAssignmentClass, storedWork } from "./assignments.ts";
import { createEssayClass, queued } from "./essays.ts";
import { crash, type Failure, failureOf, SEED, TIMEOUT_MS, TRIALS } from "./failures.ts";
import { expect, type NewTab, test } from "./fixtures.ts";
import { Random } from "./random.ts";
import { endSessionElsewhere, signIn } from "./ui.ts";

/**
 * Randomized tests of text that is typed beside the editor of pages: a learner's work, which is saved as a draft on the server, and a
 * grader's comment, which is kept on the device until it is stored. At a random moment the server crashes, the network fails, the tab
 * closes or crashes, or the session ends. Afterwards the field must have what was typed last.
 */

/** A field whose text must not be lost. */
interface Field {
  person: Account;
  open: (page: Page) => Promise<unknown>;
  locate: (page: Page) => Locator;
  read: (field: Locator) => Promise<string>;
  /** Waits until the server has the text, or stores it. */
  expectStored: (page: Page, text: string) => Promise<void>;
}

const FIELDS = { work: openWork, comment: openComment };

async function openWork(server: Server): Promise<Field> {
  const assignment = await createAssignmentClass(server);
  return {
    person: assignment.learner,
    open: (page) => page.goto(`/view-page/${assignment.assignmentId}`),
    locate: (page) => page.getByRole("textbox", { name: /^Текст/ }),
    read: (field) => field.innerText(),
    expectStored: async (_, text) => {
      const stored = async () => JSON.stringify((await storedWork(assignment, assignment.learner)).draft);
      await expect.poll(stored, { timeout: TIMEOUT_MS }).toContain(JSON.stringify(text));
    },
  };
}

async function openComment(server: Server): Promise<Field> {
  const essays = await createEssayClass(server, { count: 1 });
  return {
    person: essays.owner,
    open: async (page) => {
      await page.goto(`/edit-course/${essays.courseId}?tab=grading`);
      await page.getByRole("button", { name: "Начать проверку" }).click();
    },
    locate: (page) => page.getByRole("textbox", { name: "Комментарий для ученика" }),
    read: (field) => field.inputValue(),
    expectStored: async (page, text) => {
      await page.getByRole("textbox", { name: /^Баллы/ }).fill("4");
      await page.getByRole("button", { name: "Сохранить и дальше" }).click();
      await expect.poll(() => queued(essays, "RELEASED"), { timeout: TIMEOUT_MS }).toHaveLength(1);
      const [answer] = await queued(essays, "RELEASED");
      const query =
        "query ($attemptId: ID!, $questionId: ID!) { openAnswer(attemptId: $attemptId, questionId: $questionId) { comment } }";
      const stored = await graphql(server.url, essays.owner.token, query, {
        attemptId: answer?.attemptId,
        questionId: answer?.questionId,
      });
      expect(stored.openAnswer.comment).toBe(text);
    },
  };
}

test.describe(`keeps every draft (seed ${SEED})`, () => {
  for (const [name, open] of Object.entries(FIELDS))
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const failure = failureOf(trial);

      test(`${name}, ${trial}: ${failure}`, async ({ server, newTab }) => {
        test.setTimeout(4 * TIMEOUT_MS);
        const field = await open(server);
        const writer = await Writer.open(newTab, field, new Random(SEED + trial * 7919));
        await writer.write();
        await fail(failure, writer, server);
        await expect.poll(() => writer.shown(), "the text as it was last typed").toBe(writer.typed);
        await field.expectStored(writer.page, writer.typed);
      });
    }
});

async function fail(failure: Failure, writer: Writer, server: Server): Promise<void> {
  const { context } = writer;
  switch (failure) {
    case "server":
      await server.crash();
      await writer.write();
      await server.resume();
      await writer.write();
      break;
    case "serverThenTab":
      await server.crash();
      await writer.write();
      await writer.page.close();
      await server.resume();
      await writer.reopen();
      break;
    case "network":
      await context.setOffline(true);
      await writer.write();
      await context.setOffline(false);
      await writer.write();
      break;
    case "networkThenTab":
      await context.setOffline(true);
      await writer.write();
      await writer.page.close();
      await context.setOffline(false);
      await writer.reopen();
      break;
    case "tab":
      await writer.page.close();
      await writer.reopen();
      break;
    case "crash":
      await crash(writer.page);
      await writer.page.close();
      await writer.reopen();
      break;
    case "session": {
      await endSessionElsewhere(context);
      await writer.page.waitForURL("**/login");
      await signIn(writer.page, writer.field.person.email, writer.field.person.password);
      await expect(writer.page.getByRole("navigation").first()).toBeVisible();
      await writer.page.close();
      await writer.reopen();
      break;
    }
  }
  // The app reports the provoked failures.
  writer.consoleErrors.length = 0;
}

/** Somebody who types into the field. */
class Writer {
  typed = "";

  private constructor(
    public page: Page,
    readonly context: BrowserContext,
    readonly consoleErrors: string[],
    readonly field: Field,
    private readonly random: Random,
  ) {}

  static async open(newTab: NewTab, field: Field, random: Random): Promise<Writer> {
    const { page, context, consoleErrors } = await newTab({ token: field.person.token });
    context.setDefaultTimeout(TIMEOUT_MS);
    const writer = new Writer(page, context, consoleErrors, field, random);
    await field.open(page);
    await expect(field.locate(page)).toBeVisible();
    return writer;
  }

  /** Types words for up to three seconds. */
  async write(): Promise<void> {
    const field = this.field.locate(this.page);
    await field.click();
    await this.page.keyboard.press("Control+End");
    const until = Date.now() + this.random.next() * 3000;
    do {
      const word = `${this.typed === "" ? "" : " "}${this.random.word()}`;
      await this.page.keyboard.type(word);
      this.typed += word;
      await new Promise((done) => setTimeout(done, this.random.next() * 200));
    } while (Date.now() < until);
    expect(await this.shown()).toBe(this.typed);
  }

  shown(): Promise<string> {
    return this.field.read(this.field.locate(this.page));
  }

  async reopen(): Promise<void> {
    this.page = await this.context.newPage();
    await this.field.open(this.page);
    await expect(this.field.locate(this.page)).toBeVisible();
  }
}
