import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { graphql } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { eventually } from "./app.ts";
import { expectAccessible, expectNoSidewaysScroll, withBrowser } from "./browser.ts";
import {
  type Draft,
  draftCourse,
  openEditor,
  stored,
  text,
  textOf,
  title,
  waitUntilSaved,
} from "./editing.ts";
import { type Person, person } from "./people.ts";

// Two people of one course, each in a browser profile of their own.

let server: Server;
let owner: Person;
let editor: Person;
let draft: Draft;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
  owner = await person(server, "Соколова Вера Павловна");
  editor = await person(server, "Петров Пётр Петрович");
});
afterAll(() => server?.stop());
beforeEach(async () => {
  const content = ["Первый абзац.", "Второй абзац."].map((words) => ({
    type: "paragraph",
    content: [{ type: "text", text: words }],
  }));
  draft = await draftCourse(server, editor.token, { type: "doc", content });
  // Whoever hands a course over stays in it as an editor.
  await graphql(
    server.url,
    editor.token,
    "mutation ($input: HandOverCourseInput!) { handOverCourse(input: $input) { course { id } } }",
    { input: { courseId: draft.courseId, email: owner.email } },
  );
});

const here = (page: Page) => page.getByRole("status").filter({ hasText: "Сейчас здесь" });
const said = async () => textOf((await stored(server, owner.token, draft.pageId)).content);

async function both(): Promise<{ mine: Page; theirs: Page }> {
  const { page: mine } = await openEditor(server, owner, draft.pageId);
  const { page: theirs } = await openEditor(server, editor, draft.pageId);
  await here(mine).getByText(editor.fullName).waitFor({ state: "attached" });
  await here(theirs).getByText(owner.fullName).waitFor({ state: "attached" });
  return { mine, theirs };
}

async function write(page: Page, words: string): Promise<void> {
  await text(page).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(words);
}

describe("who else has the page open", () => {
  test("is shown to each, without oneself, and no more when they leave", async () => {
    const { mine, theirs } = await both();
    expect(await here(mine).innerText()).not.toContain(owner.fullName);
    await expectAccessible(mine, "somebody else is here");
    await mine.setViewportSize({ width: 375, height: 812 });
    await expectNoSidewaysScroll(mine, "somebody else is here");
    await theirs.getByRole("link", { name: "Основы языка" }).first().click();
    await theirs.waitForURL((url) => url.pathname === `/edit-course/${draft.courseId}`);
    await here(mine).waitFor({ state: "detached" });
  });

  test("is oneself too, in another window", async () => {
    const { page: mine } = await openEditor(server, owner, draft.pageId);
    const { page: again } = await openEditor(server, owner, draft.pageId);
    await here(mine).getByText("вы в другом окне").waitFor({ state: "attached" });
    await again.close();
    await here(mine).waitFor({ state: "detached" });
  });
});

describe("what another editor saves", () => {
  test("comes into an editor without changes of its own, and writing goes on where the cursor was", async () => {
    const { mine, theirs } = await both();
    // The cursor at the end of the second paragraph, above which something comes.
    await text(mine).focus();
    await mine.keyboard.press("Control+End");
    await text(theirs).focus();
    await theirs.keyboard.press("Control+Home");
    await theirs.keyboard.type("Новое начало. ");
    await title(theirs).fill("Новое название");
    await title(theirs).blur();
    await waitUntilSaved(theirs);
    await text(mine).getByText("Новое начало. Первый абзац.").waitFor();
    // The text and the title may be saved one after the other.
    await expect.poll(() => title(mine).inputValue()).toBe("Новое название");
    await mine.getByRole("status").getByText(`Обновлено: ${editor.fullName}`).waitFor({ state: "attached" });
    await mine.keyboard.type(" И мой конец.");
    await waitUntilSaved(mine);
    const whole = "Новое начало. Первый абзац.Второй абзац. И мой конец.";
    await eventually(said, whole, "both texts");
    await expect.poll(() => text(theirs).innerText()).toContain("И мой конец.");
    // What the other one wrote is not this author's to undo.
    await mine.keyboard.press("Control+z");
    await waitUntilSaved(mine);
    await eventually(said, "Новое начало. Первый абзац.Второй абзац.", "only mine is undone");
  });

  test("is offered beside one's own text when that is not saved yet", async () => {
    const { mine, theirs } = await both();
    // Mine cannot be saved for a while; theirs can.
    await mine.route("**/graphql", (route) =>
      route.request().postDataJSON()?.operationName === "SavePage" ? route.abort() : route.continue(),
    );
    await write(mine, " Моё.");
    await mine.getByText("Нет сети: сохраним позже").waitFor();
    await write(theirs, " Чужое.");
    await waitUntilSaved(theirs);
    expect(await text(mine).innerText()).toContain("Моё.");
    await mine.unroute("**/graphql");
    await mine.getByRole("button", { name: "Сравнить и выбрать" }).click();
    const dialog = mine.getByRole("dialog", { name: "Два текста одной страницы" });
    await dialog.getByText(editor.fullName).first().waitFor();
    await dialog.getByRole("button", { name: "Оставить мой" }).click();
    await waitUntilSaved(mine);
    await eventually(said, "Первый абзац.Второй абзац. Моё.", "mine");
    // And the other editor, which has nothing of its own to lose, follows.
    await expect.poll(() => text(theirs).innerText()).toContain("Моё.");
  });

  test("is there after the connection was lost", async () => {
    const { mine } = await both();
    await mine.context().setOffline(true);
    await graphql(
      server.url,
      editor.token,
      "mutation ($input: UpdatePageInput!) { updatePage(input: $input) { page { version } } }",
      { input: { pageId: draft.pageId, title: "Пока не было связи" } },
    );
    await mine.context().setOffline(false);
    await server.pause();
    await server.resume();
    await expect.poll(() => title(mine).inputValue(), { timeout: 30_000 }).toBe("Пока не было связи");
  });

  test("is seen when the page is published, and when it is deleted", async () => {
    const { mine, theirs } = await both();
    await theirs.getByRole("switch").click();
    await mine.getByRole("switch", { name: "Черновик" }).waitFor();
    await graphql(
      server.url,
      editor.token,
      "mutation ($input: DeletePageInput!) { deletePage(input: $input) { pageId } }",
      { input: { pageId: draft.pageId } },
    );
    await mine.getByText("Эту страницу удалили.").waitFor();
    expect(await text(mine).innerText()).toContain("Второй абзац.");
  });
});
