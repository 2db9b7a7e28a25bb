import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphql, login } from "../../scripts/client.mjs";
import { admin, Server } from "../../scripts/server.mjs";
import { eventually, signIn } from "./app.ts";
import { expectAccessible, expectNoSidewaysScroll, signedIn, wear, withBrowser } from "./browser.ts";
import {
  copy,
  draftCourse,
  openEditor,
  paste,
  picture,
  type StoredNode,
  stored,
  text,
  textBeforeCursor,
  textOf,
  title,
  waitUntilSaved,
} from "./editing.ts";
import { enroll, person } from "./people.ts";

let server: Server;
let token: string;

withBrowser();
beforeAll(async () => {
  server = await Server.start();
  token = await login(server.url, admin.email, admin.password);
});
afterAll(() => server?.stop());

/** A page of its own in an editor; `said` is what the server holds of it. */
async function open(content?: StoredNode[]) {
  const course = await draftCourse(server, token, content && { type: "doc", content });
  const tab = await openEditor(server, admin, course.pageId);
  const said = async () => (await stored(server, token, course.pageId)).content.content;
  return { ...tab, ...course, said };
}

const paragraph = (words: string): StoredNode => ({
  type: "paragraph",
  content: [{ type: "text", text: words }],
});

/** Types at the end of the text. */
async function write(page: Page, words: string) {
  await text(page).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(words);
}

const options = (page: Page) => page.getByRole("listbox", { name: "Вставить" }).getByRole("option");

/** Chooses from the slash menu by its name. */
async function insert(page: Page, name: string) {
  await page.keyboard.type(`/${name}`);
  await options(page).filter({ hasText: name }).first().waitFor();
  await page.keyboard.press("Enter");
}

describe("by the keyboard alone", () => {
  test("text with every mark, by its keys", async () => {
    const { page, said } = await open();
    await write(page, "");
    const marks = [
      ["Control+b", "bold"],
      ["Control+i", "italic"],
      ["Control+u", "underline"],
      ["Control+Shift+s", "strike"],
      ["Control+e", "code"],
      ["Control+Shift+h", "highlight"],
      ["Control+.", "superscript"],
      ["Control+,", "subscript"],
    ] as const;
    for (const [keys, mark] of marks) {
      await page.keyboard.press(keys);
      await page.keyboard.type(`${mark} `);
      await page.keyboard.press(keys);
    }
    await waitUntilSaved(page);
    await eventually(
      async () =>
        (await said())[0]?.content?.map((node) => [node.text, node.marks?.map((mark) => mark.type)]),
      marks.map(([, mark]) => [`${mark} `, [mark]]),
      "every mark",
    );
  });

  test("Markdown as it is typed", async () => {
    const { page, said } = await open();
    await write(page, "## Заголовок\n**жирный** и `код`\n");
    await page.keyboard.type("- раз\nдва\n\n");
    await page.keyboard.type("3. третий\n\n");
    await page.keyboard.type("[x] готово\n\n");
    await page.keyboard.type("> цитата");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("```rust ");
    await page.keyboard.type("fn main() {\n    1\n");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("Формула $x^2$ и [сюда](https://a.example) https://b.example и всё");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("---");
    await waitUntilSaved(page);
    await eventually(
      async () => (await said()).map((node) => node.type),
      [
        "heading",
        "paragraph",
        "bulletList",
        "orderedList",
        "taskList",
        "blockquote",
        "codeBlock",
        "paragraph",
        "horizontalRule",
        "paragraph",
      ],
      "the blocks",
    );
    const blocks = await said();
    expect(blocks[0]).toEqual({
      type: "heading",
      attrs: { level: 2 },
      content: [{ type: "text", text: "Заголовок" }],
    });
    expect(blocks[2]?.content).toHaveLength(2);
    expect(blocks[3]?.attrs).toEqual({ start: 3 });
    expect(blocks[4]?.content?.[0]?.attrs).toEqual({ checked: true });
    expect(blocks[6]).toEqual({
      type: "codeBlock",
      attrs: { language: "rust" },
      content: [{ type: "text", text: "fn main() {\n    1\n    " }],
    });
    const line = blocks[7]?.content ?? [];
    expect(line.find((node) => node.type === "inlineMath")?.attrs).toEqual({ latex: "x^2" });
    expect(line.flatMap((node) => node.marks ?? []).map((mark) => mark.attrs?.href)).toEqual([
      "https://a.example",
      "https://b.example",
    ]);
  });

  test("every block of the slash menu, in Russian and in English", async () => {
    const { page, said } = await open();
    await write(page, "");
    const next = () => page.keyboard.press("Control+Enter");
    await insert(page, "Подзаголовок");
    await page.keyboard.type("Раздел");
    for (const [name, inside] of [
      ["Заметка", "врезка"],
      ["Осторожно", "опасность"],
      ["Раскрывающийся", "вопрос"],
      ["Таблица", "ячейка"],
    ] as const) {
      await next();
      await insert(page, name);
      await page.keyboard.type(inside);
    }
    await next();
    await page.keyboard.type("/div");
    await options(page).filter({ hasText: "Разделитель" }).waitFor();
    await page.keyboard.press("Enter");
    await next();
    await insert(page, "Формула");
    await page.getByRole("textbox", { name: "Формула (LaTeX)" }).waitFor();
    await page.keyboard.type("\\frac{1}{2}");
    await page.locator("[data-type=blockMath] .katex").waitFor();
    await page.keyboard.press("Escape");
    await next();
    await insert(page, "Видео");
    await page.getByLabel("Адрес видео").fill("https://rutube.ru/video/c6cc4d620b1d4338901770a44b3e82f4/");
    await page.keyboard.press("Enter");
    await waitUntilSaved(page);
    await eventually(
      async () => (await said()).map((node) => node.type).filter((type) => type !== "paragraph"),
      ["heading", "callout", "callout", "details", "table", "horizontalRule", "blockMath", "embed"],
      "the blocks",
    );
    const blocks = (await said()).filter((node) => node.type !== "paragraph");
    expect(blocks[2]?.attrs).toEqual({ kind: "danger" });
    expect(blocks[3] && textOf(blocks[3])).toBe("вопрос");
    expect(blocks[4]?.content?.[0]?.content?.[0]?.type).toBe("tableHeader");
    expect(blocks[6]?.attrs).toEqual({ latex: "\\frac{1}{2}" });
    expect(blocks[7]?.attrs).toEqual({ provider: "rutube", id: "c6cc4d620b1d4338901770a44b3e82f4" });
  });

  test("a block's own settings, with F2 and back with Escape", async () => {
    const { page, said } = await open();
    await write(page, "``` x = 1");
    await page.locator("[data-panel=codeBlock]").waitFor();
    await page.keyboard.press("F2");
    await page.keyboard.type("python");
    await page.keyboard.press("Tab");
    await page.keyboard.type("main.py");
    await page.keyboard.press("Escape");
    await page.keyboard.type("0");
    await waitUntilSaved(page);
    await eventually(
      said,
      [
        {
          type: "codeBlock",
          attrs: { language: "python", caption: "main.py" },
          content: [{ type: "text", text: "x = 10" }],
        },
      ],
      "the code block",
    );
  });

  test("a link to a page of the course, and its removal", async () => {
    const { page, said, otherId } = await open();
    await write(page, "смотри ");
    await page.keyboard.press("Control+k");
    await page.getByLabel("Адрес или название страницы").fill("владение");
    await page.keyboard.press("Enter");
    await waitUntilSaved(page);
    await eventually(
      async () => (await said())[0]?.content?.[1],
      {
        type: "text",
        text: "Владение и заимствование",
        marks: [{ type: "link", attrs: { href: `page:${otherId}` } }],
      },
      "the link",
    );
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+k");
    await page.getByRole("button", { name: "Убрать ссылку" }).click();
    await waitUntilSaved(page);
    await eventually(async () => (await said())[0]?.content?.length, 1, "no link");
  });

  test("the toolbar is one stop, and its arrows go through it", async () => {
    const { page, said } = await open([paragraph("слово")]);
    await text(page).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Alt+F10");
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Жирный");
    await page.keyboard.press("Enter");
    await waitUntilSaved(page);
    await eventually(async () => (await said())[0]?.content?.[0]?.marks, [{ type: "bold" }], "bold");
  });

  test("blocks change places with Alt and the arrows, and come back by undo", async () => {
    const { page, said } = await open([paragraph("раз"), paragraph("два"), paragraph("три")]);
    await text(page).focus();
    await page.keyboard.press("Control+End");
    await expect.poll(() => textBeforeCursor(page)).toBe("три");
    await page.keyboard.press("Alt+ArrowUp");
    await eventually(async () => (await said()).map(textOf), ["раз", "три", "два"], "moved");
    await page.keyboard.press("Control+z");
    await eventually(async () => (await said()).map(textOf), ["раз", "два", "три"], "undone");
  });

  test("the title, and from it into the text", async () => {
    const { page, pageId } = await open();
    await title(page).fill("");
    await page.keyboard.type("Новое название");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Первая строка");
    await waitUntilSaved(page);
    await eventually(async () => (await stored(server, token, pageId)).title, "Новое название", "the title");
    await page.getByRole("navigation", { name: "Содержание курса" }).getByText("Новое название").waitFor();
    await title(page).fill("");
    await eventually(async () => (await stored(server, token, pageId)).title, null, "no title");
  });
});

describe("pasted", () => {
  test("Word's lists, with the picture that came along left out", async () => {
    const { page, said } = await open();
    await paste(
      page,
      {
        "text/plain": "раз",
        "text/html": `<html xmlns:w="urn:schemas-microsoft-com:office:word"><body><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>раз<o:p></o:p></p><p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o </span><![endif]>внутри</p></body></html>`,
      },
      [await picture()],
    );
    await waitUntilSaved(page);
    await eventually(
      async () => (await said()).map((node) => [node.type, textOf(node)]),
      [["bulletList", "развнутри"]],
      "a list",
    );
  });

  test("Markdown", async () => {
    const { page, said } = await open();
    await paste(page, { "text/plain": "# Глава\n\n- [x] готово\n\n```rust\nfn main() {}\n```\n" });
    await waitUntilSaved(page);
    await eventually(
      async () => (await said()).map((node) => node.type).slice(0, 3),
      ["heading", "taskList", "codeBlock"],
      "the blocks",
    );
  });

  test("a web page in the middle of a line", async () => {
    const { page, said } = await open([paragraph("довпосле")]);
    await text(page).focus();
    await page.keyboard.press("Control+Home");
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowRight");
    await expect.poll(() => textBeforeCursor(page)).toBe("дов");
    await paste(page, { "text/html": "<b>жирное</b><script>alert(1)</script>", "text/plain": "жирное" });
    await waitUntilSaved(page);
    await eventually(
      async () => (await said()).map((node) => node.content?.map((one) => one.text)),
      [["дов", "жирное", "после"]],
      "one line",
    );
  });

  test("what was copied here comes back as it was", async () => {
    const { page, said } = await open([
      { type: "callout", attrs: { kind: "tip" }, content: [paragraph("совет")] },
      { type: "blockMath", attrs: { latex: "x^2" } },
    ]);
    await text(page).focus();
    await page.keyboard.press("Control+a");
    const copied = await copy(page);
    await page.keyboard.press("Delete");
    await paste(page, copied);
    await waitUntilSaved(page);
    await eventually(
      async () => (await said()).filter((node) => node.type !== "paragraph"),
      [
        { type: "callout", attrs: { kind: "tip" }, content: [paragraph("совет")] },
        { type: "blockMath", attrs: { latex: "x^2" } },
      ],
      "the same blocks",
    );
  });

  test("a picture is uploaded, asks for its description, and is saved with it", async () => {
    const { page, said } = await open([paragraph("до")]);
    await text(page).focus();
    await page.keyboard.press("Control+End");
    await paste(page, {}, [await picture()]);
    await page.locator("[data-type=image] img").waitFor();
    await page.getByText("Нет описания").waitFor();
    await page.getByText("1 картинка без описания").waitFor();
    await page.locator("[data-type=image] img").click();
    await page.getByRole("textbox", { name: "Описание" }).fill("Содержание курса на телефоне");
    await waitUntilSaved(page);
    await eventually(
      async () => {
        const image = (await said()).find((node) => node.type === "image");
        return [image?.attrs?.alt, typeof image?.attrs?.naturalWidth, String(image?.attrs?.src).slice(0, 7)];
      },
      ["Содержание курса на телефоне", "number", "/files/"],
      "the picture",
    );
    expect(await page.getByText("Нет описания").count()).toBe(0);
  });

  test("a file that does not get there says why and can be sent again", async () => {
    const { page, said } = await open([paragraph("до")]);
    let refuse = true;
    await page.route("**/upload_file", (route) => (refuse ? route.abort() : route.continue()));
    await paste(page, {}, [{ name: "план.txt", type: "text/plain", base64: "0L/Qu9Cw0L0=" }]);
    await page.getByText("Сервер не отвечает").waitFor();
    refuse = false;
    await page.getByRole("button", { name: "Повторить" }).click();
    await eventually(
      async () => (await said()).find((node) => node.type === "attachment")?.attrs?.filename,
      "план.txt",
      "the file",
    );
  });
});

describe("two windows on one page", () => {
  test("show both texts, and the author's choice stands", async () => {
    const { page, pageId, said } = await open([paragraph("общее")]);
    const other = await openEditor(server, admin, pageId);
    let release = await holdSaves(page);
    await write(page, " первое окно");
    await write(other.page, " второе окно");
    await waitUntilSaved(other.page);
    release();
    await page.getByText("Пока вы писали, страницу сохранили в другом месте").waitFor();
    await page.getByText("Страницу изменили в другом месте").waitFor();
    await page.getByRole("button", { name: "Сравнить и выбрать" }).click();
    const dialog = page.getByRole("dialog", { name: "Два текста одной страницы" });
    await dialog.getByText("общее первое окно").waitFor();
    await dialog.getByText("общее второе окно").waitFor();
    await expectAccessible(page, "the conflict");
    release = await holdSaves(other.page);
    await write(other.page, "!");
    await dialog.getByRole("button", { name: "Оставить мой" }).click();
    await waitUntilSaved(page);
    await eventually(async () => (await said()).map(textOf), ["общее первое окно"], "mine");

    // And the other way: the window that is behind now takes what is saved, and undoes that.
    release();
    await other.page.getByRole("button", { name: "Сравнить и выбрать" }).click();
    await other.page.getByRole("button", { name: "Взять сохранённый" }).click();
    await other.page.getByText("общее первое окно").waitFor();
    await waitUntilSaved(other.page);
    await text(other.page).focus();
    await other.page.keyboard.press("Control+z");
    await waitUntilSaved(other.page);
    await eventually(async () => (await said()).map(textOf), ["общее второе окно!"], "undone");
  });
});

/** Keeps the saves of a window on their way until the answer is called. */
async function holdSaves(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/graphql", async (route) => {
    if (route.request().postDataJSON()?.operationName === "SavePage") await released;
    await route.continue();
  });
  return release;
}

describe("the history", () => {
  test("shows what the page said and brings it back", async () => {
    const { page, pageId, said } = await open([paragraph("первое")]);
    await write(page, " и второе");
    await waitUntilSaved(page);
    await page.getByRole("button", { name: "История" }).click();
    const dialog = page.getByRole("dialog", { name: "История страницы" });
    await dialog.getByText("первое и второе").waitFor();
    await dialog.getByRole("list", { name: "Версии" }).getByRole("button").last().click();
    await dialog.getByText("первое", { exact: true }).waitFor();
    await expectAccessible(page, "the history");
    await dialog.getByRole("button", { name: "Вернуть эту версию" }).click();
    await page.getByText("Страница снова такая, как была").waitFor();
    await eventually(async () => (await said()).map(textOf), ["первое"], "restored");
    expect(await text(page).innerText()).toBe("первое");
    // Writing goes on without a conflict.
    await write(page, "!");
    await waitUntilSaved(page);
    await eventually(async () => textOf((await stored(server, token, pageId)).content), "первое!", "went on");
  });
});

describe("the frame", () => {
  test("publishes, and shows the page as a student will see it, unsaved letters too", async () => {
    const { page, pageId } = await open([paragraph("начало")]);
    await page.getByRole("switch", { name: "Опубликована" }).click();
    await page.getByRole("switch", { name: "Черновик" }).waitFor();
    await eventually(async () => (await stored(server, token, pageId)).published, false, "a draft");
    await write(page, ", конец");
    await page.getByRole("button", { name: "Как увидит ученик" }).click();
    await page.getByText("начало, конец").filter({ visible: true }).waitFor();
    expect(await text(page).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Вернуться к правке" }).click();
    await text(page).waitFor();
  });

  test("counts words", async () => {
    const { page } = await open([paragraph("раз два три")]);
    await page.getByText("3 слова").waitFor();
    await write(page, " четыре пять");
    await page.getByText("5 слов", { exact: true }).waitFor();
  });

  test("a learner is led to the page for reading, a stranger nowhere", async () => {
    const { pageId, courseId, troubles } = await open([paragraph("текст")]);
    const { generateShareCode } = await graphql(
      server.url,
      token,
      "mutation ($input: GenerateShareCodeInput!) { generateShareCode(input: $input) { course { shareCode } } }",
      { input: { courseId } },
    );
    const learner = await person(server);
    await enroll(server, learner, generateShareCode.course.shareCode);
    const { page } = await signedIn(server, learner);
    await page.goto(`/edit-page/${pageId}`);
    await page.waitForURL(`**/view-page/${pageId}`);
    await page.getByText("текст").waitFor();
    const stranger = await signedIn(server, await person(server));
    await stranger.page.goto(`/edit-page/${pageId}`);
    await stranger.page.getByRole("heading", { name: "Упс!" }).waitFor();
    expect(troubles).toEqual([]);
  });
});

describe("nothing is lost", () => {
  test("without a network: it is said, kept, and saved when the network is back", async () => {
    const { page, context, said } = await open();
    await context.setOffline(true);
    await write(page, "написано без сети");
    await page.getByText("Нет сети: сохраним позже").waitFor();
    await context.setOffline(false);
    await waitUntilSaved(page);
    await eventually(async () => (await said()).map(textOf), ["написано без сети"], "saved");
  });

  test("closed without a network: offered back, compared, restored", async () => {
    const { page, context, pageId, said } = await open([paragraph("было")]);
    await context.setOffline(true);
    await write(page, " и стало");
    await page.getByText("Нет сети: сохраним позже").waitFor();
    await page.close();
    await context.setOffline(false);
    const again = await context.newPage();
    await again.goto(`/edit-page/${pageId}`);
    await again.getByText("остался несохранённый текст").waitFor();
    expect(await text(again).innerText()).toBe("было");
    await again.getByRole("button", { name: "Сравнить" }).click();
    await again.getByRole("dialog").getByText("было и стало").waitFor();
    await expectAccessible(again, "the text left behind");
    await again.getByRole("dialog").getByRole("button", { name: "Вернуть его" }).click();
    await waitUntilSaved(again);
    await eventually(async () => (await said()).map(textOf), ["было и стало"], "restored");
    await again.reload();
    await text(again).waitFor();
    expect(await again.getByText("остался несохранённый текст").count()).toBe(0);
  });

  test("signed out in the middle of a word: the text is there after signing in, for that person alone", async () => {
    const { page, pageId } = await open();
    // Whatever the screen still asks for would be refused, and lead away, before a letter is typed.
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => localStorage.setItem("access_token", "expired"));
    await write(page, "до последней буквы");
    await page.waitForURL("**/login");
    await signIn(page, admin.email, admin.password);
    await page.getByText("Есть несохранённый текст: «Страница».").waitFor();
    await page.getByRole("link", { name: "Открыть" }).click();
    await page.waitForURL(`**/edit-page/${pageId}`);
    await page.getByRole("button", { name: "Вернуть его" }).click();
    await waitUntilSaved(page);
    expect(await text(page).innerText()).toBe("до последней буквы");
  });

  test("an upload of another person's file is refused with a reason, and the text stays", async () => {
    const { page, said } = await open([paragraph("моё")]);
    await write(page, " и ещё");
    await paste(page, {
      "text/html": `<div data-pm-slice="0 0 []"><figure data-type="image" data-src="/files/${"0a".repeat(16)}/x.png"></figure></div>`,
    });
    await page.getByText("Сервер не принял текст").waitFor();
    await page.getByText("Не удалось сохранить").waitFor();
    expect((await said()).map(textOf)).not.toContain("");
    await page.locator("[data-type=image]").click();
    await page.keyboard.press("Delete");
    await waitUntilSaved(page);
  });
});

// What floats over the text belongs to the window it came up in: each size is opened for itself.
test.each(["phone", "tablet", "desk"] as const)(
  "the editor is accessible and fits on a %s, in both themes",
  async (size) => {
    const { pageId } = await draftCourse(server, token, {
      type: "doc",
      content: [
        { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: "Раздел" }] },
        paragraph("Текст"),
        { type: "taskList", content: [{ type: "taskItem", content: [paragraph("дело")] }] },
        {
          type: "codeBlock",
          attrs: { language: "rust" },
          content: [{ type: "text", text: "fn main() {}" }],
        },
        { type: "callout", attrs: { kind: "warning" }, content: [paragraph("осторожно")] },
        { type: "blockMath", attrs: { latex: "x^2" } },
        {
          type: "details",
          content: [
            { type: "detailsSummary", content: [{ type: "text", text: "Вопрос" }] },
            { type: "detailsContent", content: [paragraph("Ответ")] },
          ],
        },
        {
          type: "table",
          content: [
            { type: "tableRow", content: [{ type: "tableHeader", content: [paragraph("Тип")] }] },
            { type: "tableRow", content: [{ type: "tableCell", content: [paragraph("u8")] }] },
          ],
        },
      ],
    });
    const { page } = await openEditor(server, admin, pageId, { size });
    const look = async (what: string) => {
      for (const theme of ["light", "dark"] as const) {
        await wear(page, theme);
        await expectAccessible(page, `${what}, ${theme}`);
      }
      await expectNoSidewaysScroll(page, what);
    };
    await page.locator("[data-type=blockMath] .katex").waitFor();
    await look("the editor");
    for (const [inside, panel] of [
      ["[data-type=callout] p", "callout"],
      ["[data-type=codeBlock] code", "codeBlock"],
      ["td p", "table"],
      ["[data-type=blockMath]", "blockMath"],
    ] as const) {
      await page.locator(inside).click();
      await page.locator(`[data-panel=${panel}]`).waitFor();
      await look(`the panel of ${panel}`);
    }
    await text(page).getByText("Текст", { exact: true }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" /");
    await page.getByRole("listbox", { name: "Вставить" }).waitFor();
    await look("the slash menu");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Как увидит ученик" }).click();
    await look("the preview");
  },
);
