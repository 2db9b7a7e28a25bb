import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import {
  contentField,
  copy,
  expectSaved,
  image,
  paragraph,
  paste,
  publishChanges,
  storedPage,
  test,
  textBeforeCursor,
  textOf,
  titleField,
  write,
} from "./page-editor.ts";

const options = (page: Page) => page.getByRole("listbox", { name: "Вставить" }).getByRole("option");

/** Inserts a block by its name in the slash menu. */
async function insert(page: Page, name: string) {
  await page.keyboard.type(`/${name}`);
  await expect(options(page).filter({ hasText: name }).first()).toBeVisible();
  await page.keyboard.press("Enter");
}

test.describe("keyboard", () => {
  test("applies every mark with its shortcut", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage();
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
    await expectSaved(page);
    await expect
      .poll(
        async () =>
          (await storedBlocks())[0]?.content?.map((node) => [
            node.text,
            node.marks?.map((mark) => mark.type),
          ]),
        "every mark",
      )
      .toEqual(marks.map(([, mark]) => [`${mark} `, [mark]]));
  });

  test("converts Markdown while it is typed", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage();
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
    await expectSaved(page);
    await expect
      .poll(async () => (await storedBlocks()).map((node) => node.type), "the blocks")
      .toEqual([
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
      ]);
    const blocks = await storedBlocks();
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

  test("inserts every block of the slash menu, found by Russian and English names", async ({
    openNewPage,
  }) => {
    const { page, storedBlocks } = await openNewPage();
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
    await expect(options(page).filter({ hasText: "Разделитель" })).toBeVisible();
    await page.keyboard.press("Enter");
    await next();
    await insert(page, "Формула");
    await expect(page.getByRole("textbox", { name: "Формула (LaTeX)" })).toBeVisible();
    await page.keyboard.type("\\frac{1}{2}");
    await expect(page.locator("[data-type=blockMath] .katex")).toBeVisible();
    await page.keyboard.press("Escape");
    await next();
    await insert(page, "Видео");
    await page.getByLabel("Адрес видео").fill("https://rutube.ru/video/c6cc4d620b1d4338901770a44b3e82f4/");
    await page.keyboard.press("Enter");
    await expectSaved(page);
    await expect
      .poll(
        async () => (await storedBlocks()).map((node) => node.type).filter((type) => type !== "paragraph"),
        "the blocks",
      )
      .toEqual(["heading", "callout", "callout", "details", "table", "horizontalRule", "blockMath", "embed"]);
    const blocks = (await storedBlocks()).filter((node) => node.type !== "paragraph");
    expect(blocks[2]?.attrs).toEqual({ kind: "danger" });
    expect(blocks[3] && textOf(blocks[3])).toBe("вопрос");
    expect(blocks[4]?.content?.[0]?.content?.[0]?.type).toBe("tableHeader");
    expect(blocks[6]?.attrs).toEqual({ latex: "\\frac{1}{2}" });
    expect(blocks[7]?.attrs).toEqual({ provider: "rutube", id: "c6cc4d620b1d4338901770a44b3e82f4" });
  });

  test("opens the settings of a block with F2 and closes them with Escape", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage();
    await write(page, "``` x = 1");
    await expect(page.locator("[data-panel=codeBlock]")).toBeVisible();
    await page.keyboard.press("F2");
    await page.keyboard.type("python");
    await page.keyboard.press("Tab");
    await page.keyboard.type("main.py");
    await page.keyboard.press("Escape");
    await page.keyboard.type("0");
    await expectSaved(page);
    await expect.poll(storedBlocks, "the code block").toEqual([
      {
        type: "codeBlock",
        attrs: { language: "python", caption: "main.py" },
        content: [{ type: "text", text: "x = 10" }],
      },
    ]);
  });

  test("links to a page of the course and removes the link", async ({ openNewPage }) => {
    const { page, storedBlocks, otherPageId } = await openNewPage();
    await write(page, "смотри ");
    await page.keyboard.press("Control+k");
    await page.getByLabel("Адрес или название страницы").fill("владение");
    await page.keyboard.press("Enter");
    await expectSaved(page);
    await expect
      .poll(async () => (await storedBlocks())[0]?.content?.[1], "the link")
      .toEqual({
        type: "text",
        text: "Владение и заимствование",
        marks: [{ type: "link", attrs: { href: `page:${otherPageId}` } }],
      });
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => textBeforeCursor(page)).toBe("смотри Владение и заимствовани");
    await page.keyboard.press("Control+k");
    await page.getByRole("button", { name: "Убрать ссылку" }).click();
    await expectSaved(page);
    await expect.poll(async () => (await storedBlocks())[0]?.content?.length, "no link").toEqual(1);
  });

  test("the arrow keys lead from the field of a link into the list of pages", async ({ openNewPage }) => {
    const { page } = await openNewPage([paragraph("слово")]);
    await contentField(page).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog", { name: "Ссылка" }).getByRole("textbox")).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(contentField(page).getByRole("link", { name: "слово" })).toBeVisible();
  });

  test("rows and columns of a table are added and deleted with buttons", async ({ openNewPage }) => {
    const { page } = await openNewPage();
    await contentField(page).focus();
    await page.keyboard.type("/табл");
    await page.keyboard.press("Enter");
    const table = contentField(page).getByRole("table");
    await page.getByRole("button", { name: "Строка ниже" }).click();
    await expect(table.getByRole("row")).toHaveCount(4);
    await page.getByRole("button", { name: "Столбец справа" }).click();
    await expect(table.getByRole("row").first().locator("th")).toHaveCount(4);
    await page.getByRole("button", { name: "Удалить столбец" }).click();
    await expect(table.getByRole("row").first().locator("th")).toHaveCount(3);
  });

  test("the toolbar is one tab stop with arrow key navigation", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage([paragraph("слово")]);
    await contentField(page).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Alt+F10");
    await page.keyboard.press("ArrowRight");
    await expect(page.locator(":focus")).toHaveAttribute("aria-label", "Жирный");
    await page.keyboard.press("Enter");
    await expectSaved(page);
    await expect
      .poll(async () => (await storedBlocks())[0]?.content?.[0]?.marks, "bold")
      .toEqual([{ type: "bold" }]);
  });

  test("moves blocks with Alt and the arrow keys, and undoes the move", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage([paragraph("раз"), paragraph("два"), paragraph("три")]);
    await contentField(page).focus();
    await page.keyboard.press("Control+End");
    await expect.poll(() => textBeforeCursor(page)).toBe("три");
    await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(async () => (await storedBlocks()).map(textOf), "moved").toEqual(["раз", "три", "два"]);
    await page.keyboard.press("Control+z");
    await expect
      .poll(async () => (await storedBlocks()).map(textOf), "undone")
      .toEqual(["раз", "два", "три"]);
  });

  test("Enter moves the focus from the title into the content", async ({
    server,
    adminToken,
    openNewPage,
  }) => {
    const { page, pageId } = await openNewPage();
    await titleField(page).fill("");
    await page.keyboard.type("Новое название");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Первая строка");
    await expectSaved(page);
    await expect
      .poll(async () => (await storedPage(server, adminToken, pageId)).title, "the title")
      .toEqual("Новое название");
    await publishChanges(page);
    await expect(
      page.getByRole("navigation", { name: "Содержание курса" }).getByText("Новое название"),
    ).toBeVisible();
    await titleField(page).fill("");
    await expect
      .poll(async () => (await storedPage(server, adminToken, pageId)).title, "no title")
      .toEqual(null);
  });
});

test.describe("paste", () => {
  test("pastes lists from Word without the image of the selection", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage();
    await paste(
      page,
      {
        "text/plain": "раз",
        "text/html": `<html xmlns:w="urn:schemas-microsoft-com:office:word"><body><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp; </span></span><![endif]>раз<o:p></o:p></p><p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o </span><![endif]>внутри</p></body></html>`,
      },
      [await image()],
    );
    await expectSaved(page);
    await expect
      .poll(async () => (await storedBlocks()).map((node) => [node.type, textOf(node)]), "a list")
      .toEqual([["bulletList", "развнутри"]]);
  });

  test("types at the cursor after a table was pasted at the start", async ({ openNewPage }) => {
    const { page } = await openNewPage();
    await write(page, "after");
    await expectSaved(page);
    await page.reload();
    // Focus by script, which acts as Tab does: a click would place the cursor.
    await contentField(page).focus();
    await paste(page, { "text/html": "<table><tr><td>one</td><td>two</td></tr></table>" });
    for (const letter of "then ") await page.keyboard.press(letter);
    await expect(contentField(page)).toContainText("then after");
    await expect(contentField(page).getByRole("cell")).toHaveText(["one", "two"]);
  });

  test("converts pasted Markdown", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage();
    await paste(page, { "text/plain": "# Глава\n\n- [x] готово\n\n```rust\nfn main() {}\n```\n" });
    await expectSaved(page);
    await expect
      .poll(async () => (await storedBlocks()).map((node) => node.type).slice(0, 3), "the blocks")
      .toEqual(["heading", "taskList", "codeBlock"]);
  });

  test("pastes part of a web page into the middle of a line", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage([paragraph("довпосле")]);
    await contentField(page).focus();
    await page.keyboard.press("Control+Home");
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowRight");
    await expect.poll(() => textBeforeCursor(page)).toBe("дов");
    await paste(page, { "text/html": "<b>жирное</b><script>alert(1)</script>", "text/plain": "жирное" });
    await expectSaved(page);
    await expect
      .poll(
        async () => (await storedBlocks()).map((node) => node.content?.map((one) => one.text)),
        "one line",
      )
      .toEqual([["дов", "жирное", "после"]]);
  });

  test("pastes blocks copied from the editor unchanged", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage([
      { type: "callout", attrs: { kind: "tip" }, content: [paragraph("совет")] },
      { type: "blockMath", attrs: { latex: "x^2" } },
    ]);
    await contentField(page).focus();
    await page.keyboard.press("Control+a");
    const copied = await copy(page);
    await page.keyboard.press("Delete");
    await paste(page, copied);
    await expectSaved(page);
    await expect
      .poll(async () => (await storedBlocks()).filter((node) => node.type !== "paragraph"), "the same blocks")
      .toEqual([
        { type: "callout", attrs: { kind: "tip" }, content: [paragraph("совет")] },
        { type: "blockMath", attrs: { latex: "x^2" } },
      ]);
  });

  test("uploads a pasted image, asks for its description, and saves both", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage([paragraph("до")]);
    await contentField(page).focus();
    await page.keyboard.press("Control+End");
    await paste(page, {}, [await image()]);
    await expect(page.locator("[data-type=image] img")).toBeVisible();
    await expect(page.getByText("Нет описания")).toBeVisible();
    await expect(page.getByText("1 картинка без описания")).toBeVisible();
    await page.locator("[data-type=image] img").click();
    await page.getByRole("textbox", { name: "Описание" }).fill("Содержание курса на телефоне");
    await expectSaved(page);
    await expect
      .poll(async () => {
        const image = (await storedBlocks()).find((node) => node.type === "image");
        return [image?.attrs?.alt, typeof image?.attrs?.naturalWidth, String(image?.attrs?.src).slice(0, 7)];
      }, "the picture")
      .toEqual(["Содержание курса на телефоне", "number", "/files/"]);
    await expect(page.getByText("Нет описания")).toHaveCount(0);
  });

  test("shows why an upload failed and uploads the file again", async ({ openNewPage }) => {
    const { page, storedBlocks } = await openNewPage([paragraph("до")]);
    let refuse = true;
    await page.route("**/upload_file", (route) => (refuse ? route.abort() : route.continue()));
    await paste(page, {}, [{ name: "план.txt", type: "text/plain", base64: "0L/Qu9Cw0L0=" }]);
    await expect(page.getByText("Сервер не отвечает")).toBeVisible();
    refuse = false;
    await page.getByRole("button", { name: "Повторить" }).click();
    await expect
      .poll(
        async () => (await storedBlocks()).find((node) => node.type === "attachment")?.attrs?.filename,
        "the file",
      )
      .toEqual("план.txt");
  });
});
