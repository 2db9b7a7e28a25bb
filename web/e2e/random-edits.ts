import { expect, type Page } from "@playwright/test";
import type { Editor } from "@tiptap/core";
// Declares the type of `undo`.
import type {} from "@tiptap/extensions";
import { contentField, copy, pasteIntoFocused, type StoredNode, textOf } from "./page-editor.ts";
import type { Random } from "./random.ts";

type EditorElement = HTMLElement & { editor: Editor };

const LETTERS = [..."абвгдежзиклмнопрстуфхцчшэюя0123456789 "];
/** Above this number of characters the author does not paste a copy of the whole page. */
const MOST_COPIED = 2000;

/** Random edits of an open page by keyboard and clipboard. After each one the editor must show what was put in. */
export class RandomEdits {
  /** How often each kind of edit was made. */
  readonly made: Record<string, number> = {};
  characters = 0;

  constructor(
    readonly page: Page,
    readonly random: Random,
  ) {}

  /** Makes random edits for about this many milliseconds, or until the editor is closed. */
  async edit(forMs: number): Promise<void> {
    const until = Date.now() + forMs;
    do {
      const [name, act] = this.#choose();
      try {
        await act();
      } catch (error) {
        // A session that ends closes the editor in mid-edit.
        if (this.#isOpen()) throw error;
        return;
      }
      this.made[name] = (this.made[name] ?? 0) + 1;
    } while (Date.now() < until && this.#isOpen());
  }

  /** The document as the editor shows it. */
  shown(): Promise<StoredNode> {
    return contentField(this.page).evaluate(
      (element) => (element as EditorElement).editor.getJSON() as never,
    );
  }

  #isOpen(): boolean {
    return !this.page.isClosed() && new URL(this.page.url()).pathname.startsWith("/edit-page");
  }

  #choose(): [name: string, act: () => Promise<void>] {
    const { random } = this;
    if (random.chance(0.5)) return ["letters", () => this.#typeLetters()];
    return random.pick([
      ["line", () => this.#startLine()],
      ["rich text", () => this.#pasteRichText()],
      ["marks", () => this.#pasteMarks()],
      ["Markdown", () => this.#pasteMarkdown()],
      ["list", () => this.#pasteList()],
      ["ragged table", () => this.#pasteRaggedTable()],
      ["copy of everything", () => this.#pasteCopy()],
      ["everything deleted", () => this.#deleteAll()],
      ["everything typed over", () => this.#typeOverAll()],
      ["table", () => this.#insertTable()],
      ["undo", () => this.#undo()],
      ["undo and redo", () => this.#undoAndRedo()],
    ]);
  }

  async #typeLetters(): Promise<void> {
    const length = this.random.between(1, 20);
    let typed = "";
    while (typed.length < length && this.#isOpen()) {
      const letter = this.random.pick(LETTERS);
      // No spaces in a row and at the ends: they are hard to read in a failure.
      const key = letter === " " && (typed.endsWith(" ") || typed === "") ? "ъ" : letter;
      await this.page.keyboard.type(key);
      typed += key;
      await new Promise((done) => setTimeout(done, this.random.next() * 60));
    }
    this.characters += typed.length;
    await this.#expectShown([typed]);
  }

  async #typeWord(): Promise<void> {
    const word = this.random.word();
    await this.page.keyboard.type(word);
    this.characters += word.length;
    await this.#expectShown([word]);
  }

  async #startLine(): Promise<void> {
    await this.page.keyboard.press("Control+Enter");
    const word = this.random.word();
    await this.page.keyboard.type(`${this.random.pick(["## ", "- ", "1. ", "> ", ""])}${word}`);
    this.characters += word.length;
    await this.#expectShown([word]);
  }

  async #pasteRichText(): Promise<void> {
    const [title, bold, link, cell] = this.#words(4);
    await this.#paste(
      {
        "text/html": `<h2>${title}</h2><p>до <b>${bold}</b> <a href="https://kurso.example/${this.random.between(1, 9)}">${link}</a></p><blockquote><p>${cell}</p></blockquote>`,
        "text/plain": `${title} ${bold} ${link} ${cell}`,
      },
      [title, bold, link, cell],
    );
  }

  async #pasteMarks(): Promise<void> {
    const [word] = this.#words(1);
    const around = this.random.pick(["**", "*", "~~", "`"]);
    await this.#paste({ "text/plain": `${around}${word}${around}` }, [word]);
  }

  async #pasteMarkdown(): Promise<void> {
    const words = this.#words(3);
    await this.#paste({ "text/plain": `## ${words[0]}\n\n- **${words[1]}**\n- ${words[2]}\n` }, words);
  }

  async #pasteList(): Promise<void> {
    const words = this.#words(3);
    const [first, inner, last] = words;
    const isHtml = this.random.chance(0.5);
    await this.#paste(
      isHtml
        ? { "text/html": `<ul><li>${first}<ol><li>${inner}</li></ol></li><li>${last}</li></ul>` }
        : { "text/plain": `- ${first}\n- ${inner}\n- ${last}` },
      words,
    );
  }

  /** The rows have different numbers of cells; the editor adds the missing ones. */
  async #pasteRaggedTable(): Promise<void> {
    const words = this.#words(4);
    const [a, b, c, d] = words;
    const html = `<table><tr><td>${a}</td><td>${b}</td><td>${c}</td></tr><tr><td>${d}</td></tr></table>`;
    await this.#paste({ "text/html": html }, words);
  }

  async #pasteCopy(): Promise<void> {
    const before = textOf(await this.shown());
    if (before.length > MOST_COPIED) return;
    await this.#selectAll();
    const data = await copy(this.page);
    await this.page.keyboard.press("ArrowRight");
    await this.#paste(data, []);
  }

  async #deleteAll(): Promise<void> {
    await this.#selectAll();
    await this.page.keyboard.press(this.random.pick(["Delete", "Backspace"]));
    expect(textOf(await this.shown()), "the text after deleting everything").toBe("");
  }

  async #typeOverAll(): Promise<void> {
    await this.#selectAll();
    await this.#typeWord();
    expect(textOf(await this.shown()), "the text after typing over everything").toHaveLength(8);
  }

  async #selectAll(): Promise<void> {
    await this.page.keyboard.press("Control+a");
  }

  async #insertTable(): Promise<void> {
    const { page, random } = this;
    const tables = contentField(page).getByRole("table");
    const before = await tables.count();
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("/таблица");
    await expect(page.getByRole("listbox", { name: "Вставить" }).getByRole("option")).toHaveCount(1);
    await page.keyboard.press("Enter");
    await expect(tables).toHaveCount(before + 1);
    for (let cells = random.between(1, 5); cells > 0; cells -= 1) {
      await this.#typeWord();
      if (random.chance(0.3)) await this.#growTable();
      await page.keyboard.press(random.chance(0.8) ? "Tab" : "ArrowDown");
    }
  }

  async #growTable(): Promise<void> {
    const size = async () => JSON.stringify(await this.shown()).match(/"table(?:Cell|Header)"/g)?.length ?? 0;
    const before = await size();
    await this.page
      .getByRole("button", { name: this.random.pick(["Строка ниже", "Столбец справа"]) })
      .click();
    await expect.poll(size, "the cells after adding a row or a column").toBeGreaterThan(before);
    await contentField(this.page).focus();
  }

  async #undo(): Promise<void> {
    await this.#press("Control+z", this.random.between(1, 4));
  }

  async #undoAndRedo(): Promise<void> {
    const before = await this.shown();
    const most = this.random.between(1, 4);
    // What earlier undos took back can be redone too, so there are as many redos as undos that had something to undo.
    let times = 0;
    while (times < most && (await this.#canUndo())) {
      await this.page.keyboard.press("Control+z");
      times += 1;
    }
    await this.#press(this.random.pick(["Control+y", "Control+Shift+z"]), times);
    expect(await this.shown(), `the page after ${times} times undo and redo`).toEqual(before);
  }

  #canUndo(): Promise<boolean> {
    return contentField(this.page).evaluate((element) => (element as EditorElement).editor.can().undo());
  }

  async #press(key: string, times: number): Promise<void> {
    for (let at = 0; at < times; at += 1) await this.page.keyboard.press(key);
  }

  #words(count: number): string[] {
    return Array.from({ length: count }, () => this.random.word());
  }

  async #paste(data: Record<string, string>, words: readonly (string | undefined)[]): Promise<void> {
    await pasteIntoFocused(this.page, data);
    this.characters += words.join("").length;
    await this.#expectShown(words);
  }

  /** Markdown is inserted a moment after the paste, because its parser is loaded on first use. */
  async #expectShown(words: readonly (string | undefined)[]): Promise<void> {
    const text = async () => textOf(await this.shown());
    const isShown = async () => {
      const shown = await text();
      return words.every((word) => shown.includes(word ?? ""));
    };
    await expect.poll(async () => (await isShown()) || (await text()), "the edit is shown").toBe(true);
  }
}

/** What a document says, whatever its JSON leaves out: blocks, texts and marks with the addresses of links. */
export function meaningOf(node: StoredNode): unknown {
  const children: unknown[] = [];
  let runMarks = "";
  for (const child of node.content ?? []) {
    if (child.text === undefined) {
      children.push(meaningOf(child));
      runMarks = "";
      continue;
    }
    const marks = (child.marks ?? [])
      .map(({ type, attrs }) => (type === "link" ? `${type} ${attrs?.href}` : type))
      .sort()
      .join();
    const last = children.at(-1);
    if (Array.isArray(last) && last[0] === "text" && runMarks === marks) last[1] += child.text;
    else children.push(["text", child.text, marks]);
    runMarks = marks;
  }
  const level = node.type === "heading" ? node.attrs?.level : undefined;
  return [node.type, ...(level === undefined ? [] : [level]), ...children];
}
