// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import path from "node:path";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { renderInRouter } from "../testing/renderInRouter";
import { Document } from "./Document";
import type { ContentMark, ContentNode } from "./model";

const PAGE = "0190a6b2-3f4c-7d5e-8a9b-0c1d2e3f4a5b";
const FILE = `/files/${"0a".repeat(16)}/a.png`;
const BROKEN = /не удалось показать/;

const text = (words: string, ...marks: ContentMark[]): ContentNode => ({ type: "text", text: words, marks });
const paragraph = (...content: (ContentNode | string)[]): ContentNode => ({
  type: "paragraph",
  content: content.map((one) => (typeof one === "string" ? text(one) : one)),
});
const link = (href: string): ContentMark => ({ type: "link", attrs: { href } });

async function show(...content: ContentNode[]): Promise<HTMLElement> {
  const { container } = await renderInRouter(<Document content={{ type: "doc", content }} />);
  return container;
}

// The test window has no doctype, which KaTeX reports as quirks mode.
beforeAll(() => Object.defineProperty(document, "compatMode", { value: "CSS1Compat" }));
afterEach(cleanup);

/** One node of each type with the element it renders. `selector` must match exactly one element with that text. */
const BLOCKS: Record<string, { node: ContentNode; selector: string; text?: string }> = {
  paragraph: { node: paragraph("Слова"), selector: "p", text: "Слова" },
  heading: {
    node: { type: "heading", attrs: { level: 3 }, content: [text("Глава")] },
    selector: "h2#глава[data-level='3']",
  },
  bulletList: {
    node: { type: "bulletList", content: [{ type: "listItem", content: [paragraph("Раз")] }] },
    selector: "ul > li > p",
    text: "Раз",
  },
  orderedList: {
    node: {
      type: "orderedList",
      attrs: { start: 3, type: "a" },
      content: [{ type: "listItem", content: [paragraph("Три")] }],
    },
    selector: "ol[start='3'][type='a'] > li > p",
    text: "Три",
  },
  listItem: {
    node: { type: "bulletList", content: [{ type: "listItem", content: [paragraph("Пункт")] }] },
    selector: "li",
    text: "Пункт",
  },
  taskList: { node: taskList(true), selector: "ul > li > input[type=checkbox]:disabled:checked" },
  taskItem: { node: taskList(false), selector: "ul > li > input[type=checkbox]:disabled:not(:checked)" },
  blockquote: {
    node: { type: "blockquote", content: [paragraph("Цитата")] },
    selector: "blockquote > p",
    text: "Цитата",
  },
  codeBlock: {
    node: { type: "codeBlock", attrs: { language: "rust", caption: null }, content: [text("let x = 5;")] },
    selector: "figure pre > code",
    text: "let x = 5;",
  },
  table: { node: table(), selector: "[role=group][tabindex='0'][aria-label='Таблица'] > table" },
  tableRow: { node: table(), selector: "tbody > tr" },
  tableHeader: { node: table(), selector: "thead > tr > th[data-align=center]", text: "Имя" },
  tableCell: { node: table(), selector: "tbody td[colspan='2']", text: "Значение" },
  image: {
    node: {
      type: "image",
      attrs: {
        src: FILE,
        alt: "Схема",
        caption: "Рис. 1",
        width: 300,
        naturalWidth: 600,
        naturalHeight: 400,
      },
    },
    selector: `figure img[src='${FILE}'][alt='Схема'][width='600'][height='400'][loading=lazy]`,
  },
  video: {
    node: { type: "video", attrs: { src: FILE, naturalWidth: 640, naturalHeight: 360 } },
    selector: `video[src='${FILE}'][controls][width='640'][height='360']`,
  },
  audio: { node: { type: "audio", attrs: { src: FILE } }, selector: `audio[src='${FILE}'][controls]` },
  embed: {
    node: { type: "embed", attrs: { provider: "youtube", id: "dQw4w9WgXcQ", caption: "Лекция" } },
    selector: "figure a[href='https://www.youtube.com/watch?v=dQw4w9WgXcQ']",
  },
  attachment: {
    node: {
      type: "attachment",
      attrs: { src: FILE, filename: "a.png", size: 1536, contentType: "image/png" },
    },
    selector: `a[href='${FILE}'][download='a.png']`,
  },
  callout: {
    node: { type: "callout", attrs: { kind: "warning" }, content: [paragraph("Осторожнее")] },
    selector: "[role=note][aria-label='Внимание'] > p",
    text: "Осторожнее",
  },
  details: { node: details(), selector: "details[open]" },
  detailsSummary: { node: details(), selector: "details > summary", text: "Ещё" },
  detailsContent: { node: details(), selector: "details p", text: "Скрытое" },
  blockMath: {
    node: { type: "blockMath", attrs: { latex: "a^2" } },
    selector: "div > div code",
    text: "a^2",
  },
  horizontalRule: { node: { type: "horizontalRule" }, selector: "hr" },
};

const INLINE: Record<string, { node: ContentNode; selector: string; text?: string }> = {
  text: { node: text("слова"), selector: "p", text: "слова" },
  hardBreak: { node: { type: "hardBreak" }, selector: "p > br" },
  inlineMath: { node: { type: "inlineMath", attrs: { latex: "b^2" } }, selector: "p code", text: "b^2" },
};

const MARKS: Record<string, { mark: ContentMark; selector: string }> = {
  bold: { mark: { type: "bold" }, selector: "p > strong" },
  italic: { mark: { type: "italic" }, selector: "p > em" },
  underline: { mark: { type: "underline" }, selector: "p > u" },
  strike: { mark: { type: "strike" }, selector: "p > s" },
  code: { mark: { type: "code" }, selector: "p > code" },
  highlight: { mark: { type: "highlight" }, selector: "p > mark" },
  subscript: { mark: { type: "subscript" }, selector: "p > sub" },
  superscript: { mark: { type: "superscript" }, selector: "p > sup" },
  link: { mark: link("mailto:a@example.com"), selector: "p > a[href='mailto:a@example.com']" },
};

function taskList(checked: boolean): ContentNode {
  return {
    type: "taskList",
    content: [{ type: "taskItem", attrs: { checked }, content: [paragraph("Дело")] }],
  };
}

function table(): ContentNode {
  return {
    type: "table",
    content: [
      {
        type: "tableRow",
        content: [{ type: "tableHeader", attrs: { align: "center" }, content: [paragraph("Имя")] }],
      },
      {
        type: "tableRow",
        content: [{ type: "tableCell", attrs: { colspan: 2 }, content: [paragraph("Значение")] }],
      },
    ],
  };
}

function details(): ContentNode {
  return {
    type: "details",
    attrs: { open: true },
    content: [
      { type: "detailsSummary", content: [text("Ещё")] },
      { type: "detailsContent", content: [paragraph("Скрытое")] },
    ],
  };
}

describe("the content model", () => {
  const model = readFileSync(path.resolve(import.meta.dirname, "../../../docs/content-model.md"), "utf8");
  const section = (title: string) => model.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";

  it("has a sample for every documented block, inline node and mark", () => {
    const blocks = section("Blocks")
      .split("\n")
      .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1]));
    expect(Object.keys(BLOCKS).sort()).toEqual(blocks.sort());
    // A blank occurs only in the text of a quiz question, which this screen does not show.
    for (const name of Object.keys(INLINE)) expect(section("Inline")).toContain(`\`${name}\``);
    // A mark's attributes are in brackets after its name.
    const marks = [
      ...section("Marks")
        .replace(/\([^)]*\)/g, "")
        .matchAll(/`(\w+)`/g),
    ].map((match) => match[1]);
    expect(Object.keys(MARKS).sort()).toEqual(marks.sort());
  });

  it.each(Object.entries(BLOCKS))("shows %s", async (_, { node, selector, text: words }) => {
    const shown = await show(node);
    expect(shown.querySelectorAll(selector)).toHaveLength(1);
    if (words) expect(shown.querySelector(selector)?.textContent).toBe(words);
    expect(screen.queryByText(BROKEN)).toBeNull();
  });

  it.each(Object.entries(INLINE))("shows %s", async (_, { node, selector, text: words }) => {
    const shown = await show(paragraph(node));
    expect(shown.querySelectorAll(selector)).toHaveLength(1);
    if (words) expect(shown.querySelector(selector)?.textContent).toBe(words);
  });

  it.each(Object.entries(MARKS))("shows text marked %s", async (_, { mark, selector }) => {
    const shown = await show(paragraph("до ", text("слова", mark), " после"));
    expect(shown.querySelector(selector)?.textContent).toBe("слова");
    expect(shown.querySelector("p")?.textContent).toBe("до слова после");
  });
});

describe("headings", () => {
  it("get numbered anchors and a link to themselves", async () => {
    const heading: ContentNode = { type: "heading", attrs: { level: 2 }, content: [text("Стек и куча")] };
    const shown = await show(heading, structuredClone(heading));
    expect([...shown.querySelectorAll("h2")].map((one) => one.id)).toEqual(["стек-и-куча", "стек-и-куча-1"]);
    const [own] = screen.getAllByRole("link", { name: "Ссылка на раздел «Стек и куча»" });
    expect(decodeURIComponent(own?.getAttribute("href") ?? "")).toBe("#стек-и-куча");
  });

  it("leave the page's title as the only h1", async () => {
    const shown = await show(
      { type: "heading", attrs: { level: 1 }, content: [text("Один")] },
      { type: "heading", attrs: { level: 4 }, content: [text("Четыре")] },
    );
    expect([...shown.querySelectorAll("h1,h2,h3,h4,h5")].map((one) => one.tagName)).toEqual(["H2", "H3"]);
  });
});

describe("links", () => {
  it("lead to pages of the course through the router", async () => {
    await show(paragraph(text("сюда", link(`page:${PAGE}#итоги`))));
    const href = screen.getByRole("link", { name: "сюда" }).getAttribute("href");
    expect(decodeURIComponent(href ?? "")).toBe(`/view-page/${PAGE}#итоги`);
  });

  it("open other sites in a new tab, announce it, and send no referrer", async () => {
    await show(paragraph(text("наружу", link("https://example.com/a"))));
    const outside = screen.getByRole("link", { name: /наружу.*в.новой вкладке/ });
    expect(outside.getAttribute("href")).toBe("https://example.com/a");
    expect(outside.getAttribute("target")).toBe("_blank");
    expect(outside.getAttribute("rel")).toBe("noopener noreferrer");
  });

  it("stay one link when part of their text has another mark", async () => {
    const to = link("#итоги");
    const shown = await show(
      paragraph(text("смотри ", to), text("Vec", { type: "code" }, to), text(" там", to)),
    );
    expect(shown.querySelectorAll("a")).toHaveLength(1);
    expect(shown.querySelector("a")?.innerHTML).toBe("смотри <code>Vec</code> там");
  });

  it.each(["javascript:alert(1)", " JaVaScript:alert(1)", "data:text/html,x", "//example.com", "vbscript:x"])(
    "never carry %s into the page",
    async (href) => {
      const shown = await show(paragraph(text("слова", link(href))));
      expect(shown.querySelector("a")).toBeNull();
      expect(shown.innerHTML.toLowerCase()).not.toContain("script:");
      expect(shown.textContent).toContain("слова");
    },
  );

  it.each(["image", "video", "audio", "attachment"])("%s shows files of this site only", async (type) => {
    const shown = await show({
      type,
      attrs: { src: "https://example.com/a", filename: "a", size: 1, contentType: "x" },
    });
    expect(shown.innerHTML).not.toContain("example.com");
    expect(screen.getByText(BROKEN)).toBeTruthy();
  });
});

describe("code", () => {
  it("is highlighted after rendering, with the same characters", async () => {
    const code = 'fn main() {\n    println!("<b>");\n}';
    const shown = await show({ type: "codeBlock", attrs: { language: "rust" }, content: [text(code)] });
    expect(shown.querySelector("pre code span")).toBeNull();
    await waitFor(() => expect(shown.querySelector("pre code .hljs-keyword")?.textContent).toBe("fn"), {
      timeout: 5000,
    });
    expect(shown.querySelector("pre code")?.textContent).toBe(code);
  });

  it("shows its language and copies the commands of a terminal session", async () => {
    const writeText = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await show({
      type: "codeBlock",
      attrs: { language: "console", caption: "Сборка" },
      content: [text("$ cargo run\n   Compiling")],
    });
    expect(screen.getByText("Console")).toBeTruthy();
    expect(screen.getByText("Сборка").tagName).toBe("FIGCAPTION");
    fireEvent.click(screen.getByRole("button", { name: "Копировать" }));
    expect(await screen.findByText("Скопировано")).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith("cargo run");
  });
});

describe("math", () => {
  it("is typeset, with MathML for screen readers", async () => {
    const shown = await show({ type: "blockMath", attrs: { latex: "\\frac{1}{2}" } });
    await waitFor(() => expect(shown.querySelector("math mfrac")).toBeTruthy(), { timeout: 5000 });
  });

  it("keeps the source of an invalid formula", async () => {
    await show({ type: "blockMath", attrs: { latex: "\\frac{1" } });
    expect(await screen.findByTitle("Формулу не удалось прочитать")).toHaveProperty(
      "textContent",
      "\\frac{1",
    );
  });

  it("cannot contain links", async () => {
    const shown = await show(
      paragraph({ type: "inlineMath", attrs: { latex: "\\href{javascript:alert(1)}{x}" } }),
    );
    await waitFor(() => expect(shown.querySelector(".katex, [title]")).toBeTruthy(), { timeout: 5000 });
    expect(shown.querySelector("a")).toBeNull();
  });
});

describe("embeds", () => {
  it("request nothing before the learner starts them", async () => {
    const shown = await show({
      type: "embed",
      attrs: { provider: "youtube", id: "dQw4w9WgXcQ", caption: "Лекция" },
    });
    expect(shown.querySelector("iframe, img")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: /Смотреть видео на YouTube/ }));
    const frame = screen.getByTitle("Лекция");
    expect(frame.getAttribute("src")).toMatch(/^https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ\?/);
    expect(frame.getAttribute("sandbox")).not.toContain("allow-top-navigation");
  });
});

describe("images", () => {
  it("are enlarged in a dialog that can be closed", async () => {
    const shown = await show({ type: "image", attrs: { src: FILE, alt: "Схема", caption: null } });
    fireEvent.click(screen.getByRole("button", { name: /Схема\s*Увеличить изображение/ }));
    const dialog = shown.querySelector("dialog") as HTMLDialogElement;
    expect(dialog.open).toBe(true);
    fireEvent.click(within(dialog).getByRole("button", { name: "Закрыть" }));
    await waitFor(() => expect(shown.querySelector("dialog")).toBeNull());
  });
});

describe("a long document", () => {
  it.each([false, true])("is rendered to its end (at once: %s)", async (atOnce) => {
    const content = Array.from({ length: 200 }, (_, index) => paragraph(`Абзац ${index + 1}`));
    const { container } = await renderInRouter(
      <Document content={{ type: "doc", content }} atOnce={atOnce} />,
    );
    expect(await screen.findByText("Абзац 200")).toBeTruthy();
    expect(container.querySelectorAll("p")).toHaveLength(200);
  });
});

describe("content that cannot be shown", () => {
  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a string", "doc"],
    ["another type", { type: "paragraph" }],
    ["no blocks", { type: "doc", content: [] }],
    ["blocks that are no list", { type: "doc", content: "x" }],
  ])("a document that is %s is said to be broken", async (_, content) => {
    await renderInRouter(<Document content={content} />);
    expect(screen.getByRole("note").textContent).toMatch(/Содержимое страницы не удалось показать/);
  });

  it.each([
    ["an unknown node", { type: "hologram" }],
    ["a null", null],
    ["a number", 7],
    ["a paragraph whose text is an object", { type: "paragraph", content: [{ type: "text", text: {} }] }],
    ["an embed of an unknown site", { type: "embed", attrs: { provider: "evil", id: "x" } }],
    ["a table without rows", { type: "table" }],
    ["a name that every object has", { type: "constructor" }],
  ])("%s is named and the blocks around it stay", async (_, node) => {
    // React logs errors that a boundary caught; these are expected.
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await show(paragraph("до"), node as ContentNode, paragraph("после"));
    log.mockRestore();
    expect(screen.getByText(BROKEN)).toBeTruthy();
    expect(screen.getByText("до")).toBeTruthy();
    expect(screen.getByText("после")).toBeTruthy();
  });

  it("names an unknown inline node inside its paragraph", async () => {
    const shown = await show(paragraph("до ", { type: "emoji" }, " после"));
    expect(shown.querySelector("p")?.textContent).toMatch(/до .*не удалось показать.*emoji.* после/);
  });

  it("keeps the text of an unknown mark", async () => {
    const shown = await show(paragraph(text("слова", { type: "blink" })));
    expect(shown.querySelector("p")?.innerHTML).toBe("слова");
  });

  it("shows a note instead of ten thousand nested lists", async () => {
    let node = paragraph("дно");
    for (let depth = 0; depth < 10_000; depth += 1) {
      node = { type: "bulletList", content: [{ type: "listItem", content: [node] }] };
    }
    await show(paragraph("до"), node);
    expect(screen.getByText("до")).toBeTruthy();
    expect(screen.getByText(BROKEN)).toBeTruthy();
    expect(screen.queryByText("дно")).toBeNull();
  });
});
