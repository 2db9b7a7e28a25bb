import { EMBED_PROVIDERS, readHref } from "../../content/addresses";
import { embedOf } from "../embedOf";
import { type Picture, takePictures } from "./pictures";
import { listsOfWord } from "./word";

/** Cleaned HTML with the images that it contained. */
export interface Cleaned {
  /** HTML that the editor's schema parses without loss. */
  html: string;
  /** Images embedded in the text; a paragraph with the `mark` of each stands in its position. */
  pictures: Picture[];
  /** How many images could not be taken along; a line or a link stands in the position of each. */
  missing: number;
}

interface Course {
  /** Whether a page belongs to the edited course; links to other pages become web addresses. */
  hasPage: (pageId: string) => boolean;
  origin: string;
}

/** Elements that never hold content of a page. */
const NOISE =
  "script, style, meta, link, title, noscript, template, object, applet, canvas, audio:not([data-src]), video:not([data-src]), svg, map, area, nav, button, select, textarea, dialog, [hidden], .sr-only, .visually-hidden, .MathJax_Preview";

/** Cleans the clipboard HTML of Word, Google Docs, web pages and editors, so that it holds only what a page may contain. */
export function cleanHtml(html: string, course: Course): Cleaned {
  const document = new DOMParser().parseFromString(html.replaceAll("\0", ""), "text/html");
  const { body } = document;
  // HTML copied from this editor is clean except for its links.
  if (body.querySelector("[data-pm-slice]")) {
    relink(body, course);
    return { html: body.innerHTML, pictures: [], missing: 0 };
  }
  const isWord = /urn:schemas-microsoft-com|class="?Mso/i.test(html);
  removeComments(body, document);
  mathOf(body, document);
  for (const element of body.querySelectorAll(NOISE)) element.remove();
  // Word has elements in namespaces of its own, such as <o:p>.
  for (const element of [...body.querySelectorAll("*")]) if (element.tagName.includes(":")) unwrap(element);
  for (const element of body.querySelectorAll<HTMLElement>("[style]")) {
    if (element.style.display === "none" || /mso-hide:\s*all/i.test(element.getAttribute("style") ?? ""))
      element.remove();
  }
  if (isWord) listsOfWord(body, document);
  blocksOfCode(body, document);
  marksOfStyles(body, document);
  lists(body, document);
  headings(body, document);
  tables(body);
  calloutsAndDetails(body, document);
  embeds(body, document);
  const { pictures, missing } = takePictures(body, document);
  relink(body, course);
  definitions(body, document);
  spaces(body, document);
  for (const element of body.querySelectorAll("*")) dropAttributes(element);
  return { html: body.innerHTML, pictures, missing };
}

function removeComments(body: HTMLElement, document: Document): void {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) (comment as ChildNode).remove();
}

/** Replaces an element with one of another name that has its children and no attributes. */
function rename(element: Element, tag: string, document: Document): HTMLElement {
  const renamed = document.createElement(tag);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

/** Replaces formulas of KaTeX, MathJax and MathML with the LaTeX that they carry. */
function mathOf(body: HTMLElement, document: Document): void {
  const replace = (shown: Element, latex: string, display: boolean) => {
    const formula = document.createElement(display ? "div" : "span");
    formula.dataset.type = display ? "blockMath" : "inlineMath";
    formula.dataset.latex = latex.trim();
    shown.replaceWith(formula);
  };
  for (const annotation of [...body.querySelectorAll('annotation[encoding="application/x-tex"]')]) {
    const shown = [".katex-display", ".katex", "mjx-container", "math"]
      .map((selector) => annotation.closest(selector))
      .find((element) => element !== null);
    const isDisplay =
      shown?.matches(".katex-display, [display='block'], [display='true']") ||
      annotation.closest("math")?.getAttribute("display") === "block";
    if (shown) replace(shown, annotation.textContent ?? "", isDisplay ?? false);
  }
  for (const script of [...body.querySelectorAll('script[type^="math/tex"]')]) {
    replace(script, script.textContent ?? "", script.getAttribute("type")?.includes("display") ?? false);
  }
  for (const image of [
    ...body.querySelectorAll("img.mwe-math-fallback-image-inline, img.mwe-math-fallback-image-display"),
  ])
    image.remove();
}

/** Reduces code blocks to their text and language. */
function blocksOfCode(body: HTMLElement, document: Document): void {
  for (const pre of [...body.querySelectorAll("pre")]) {
    for (const line of pre.querySelectorAll("br")) line.replaceWith("\n");
    const name = /(?:lang(?:uage)?-|highlight-source-|brush:\s*)([\w#+-]+)/.exec(
      [pre, pre.querySelector("code"), pre.parentElement].map((one) => one?.className ?? "").join(" "),
    )?.[1];
    const code = document.createElement("code");
    code.textContent = (pre.textContent ?? "").replace(/\n$/, "");
    if (name) code.className = `language-${name}`;
    pre.replaceChildren(code);
  }
}

/** Replaces formatting styles with elements. */
function marksOfStyles(body: HTMLElement, document: Document): void {
  for (const element of [
    ...body.querySelectorAll<HTMLElement>("span, font, b, strong, i, em, u, a, p, td, th, li, div"),
  ]) {
    if (element.closest("pre")) continue;
    const { fontWeight, fontStyle, verticalAlign, fontFamily } = element.style;
    const line = `${element.style.textDecoration} ${element.style.textDecorationLine}`;
    const isInline = /^(span|font|b|strong|i|em|u|a)$/i.test(element.tagName);
    // Google Docs wraps the whole text in <b style="font-weight: normal">.
    if (/^(b|strong)$/i.test(element.tagName) && /^(normal|[1-4]00)$/.test(fontWeight)) {
      unwrap(element);
      continue;
    }
    if (!isInline) continue;
    const wanted: string[] = [];
    if (/^(bold|bolder|[6-9]00)$/.test(fontWeight)) wanted.push("strong");
    if (/italic|oblique/.test(fontStyle)) wanted.push("em");
    // Links are always underlined.
    if (/underline/.test(line) && !element.closest("a") && !element.querySelector("a")) wanted.push("u");
    if (/line-through/.test(line)) wanted.push("s");
    if (verticalAlign === "super") wanted.push("sup");
    if (verticalAlign === "sub") wanted.push("sub");
    if (/mso-highlight/.test(element.getAttribute("style") ?? "")) wanted.push("mark");
    const isMonospaced = /courier|consolas|menlo|monaco|monospace/i.test(fontFamily);
    if (isMonospaced && !element.closest("code") && !element.querySelector("code")) wanted.push("code");
    for (const tag of wanted) {
      const mark = document.createElement(tag);
      mark.append(...element.childNodes);
      element.append(mark);
    }
  }
}

/** Moves nested lists into an item, and marks lists of checkboxes as task lists. */
function lists(body: HTMLElement, document: Document): void {
  for (const list of [...body.querySelectorAll("ul > ul, ul > ol, ol > ul, ol > ol")]) {
    const item = list.previousElementSibling;
    if (item?.tagName === "LI") item.append(list);
    else {
      const own = document.createElement("li");
      list.replaceWith(own);
      own.append(list);
    }
  }
  for (const list of [...body.querySelectorAll("ul, ol")]) {
    const items = [...list.children].filter((child) => child.tagName === "LI");
    if (items.length === 0) {
      unwrap(list);
      continue;
    }
    const boxes = items.map(
      (item) =>
        item.querySelector<HTMLInputElement>(
          ":scope > input[type=checkbox], :scope > p > input[type=checkbox], :scope > label > input[type=checkbox]",
        ) ?? (item.getAttribute("role") === "checkbox" ? item : null),
    );
    if (boxes.every((box) => box === null)) continue;
    (list as HTMLElement).dataset.type = "taskList";
    for (const [at, item] of items.entries()) {
      const box = boxes[at];
      const isChecked = box?.hasAttribute("checked") || box?.getAttribute("aria-checked") === "true";
      (item as HTMLElement).dataset.type = "taskItem";
      (item as HTMLElement).dataset.checked = String(isChecked ?? false);
      if (box && box !== item) box.remove();
    }
  }
  for (const input of body.querySelectorAll("input")) input.remove();
}

/** Maps headings to levels 2 to 4: level 1 is the page's title. */
function headings(body: HTMLElement, document: Document): void {
  for (const title of [...body.querySelectorAll("p.MsoTitle")]) rename(title, "h2", document);
  for (const heading of [...body.querySelectorAll("h1, h5, h6")]) {
    rename(heading, heading.tagName === "H1" ? "h2" : "h4", document);
  }
  for (const heading of body.querySelectorAll("h2, h3, h4")) {
    if ((heading.textContent ?? "").trim() === "") heading.remove();
    // Headings are bold already, and the sign that links to a heading is not part of its text.
    for (const anchor of heading.querySelectorAll("a")) {
      if (/^[#¶§🔗\s]*$/u.test(anchor.textContent ?? "")) anchor.remove();
    }
    for (const bold of [...heading.querySelectorAll("b, strong")]) {
      if (bold.textContent === heading.textContent) unwrap(bold);
    }
  }
}

function tables(body: HTMLElement): void {
  for (const table of [...body.querySelectorAll("table")]) {
    const cells = [...table.querySelectorAll("td, th")];
    // Mails and old pages use tables of one cell for layout.
    if (cells.length <= 1) {
      table.replaceWith(...(cells[0]?.childNodes ?? []));
      continue;
    }
    for (const rest of table.querySelectorAll("colgroup, col")) rest.remove();
    for (const caption of table.querySelectorAll("caption")) table.before(...caption.childNodes);
    for (const row of table.querySelectorAll("tr")) if (row.children.length === 0) row.remove();
    // A cell of the table's head is a header cell.
    for (const cell of table.querySelectorAll("thead td")) {
      const heading = cell.ownerDocument.createElement("th");
      for (const { name, value } of cell.attributes) heading.setAttribute(name, value);
      heading.append(...cell.childNodes);
      cell.replaceWith(heading);
    }
  }
}

const CALLOUT = /^\s*\[!(note|tip|important|warning|caution|danger)\]\s*/i;
const CALLOUT_KIND: Record<string, string> = { important: "warning", caution: "danger" };

function calloutsAndDetails(body: HTMLElement, document: Document): void {
  for (const quote of [...body.querySelectorAll("blockquote")]) {
    const kind = CALLOUT.exec(quote.textContent ?? "")?.[1]?.toLowerCase();
    if (!kind) continue;
    const walker = document.createTreeWalker(quote, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      if (!CALLOUT.test(text.data)) continue;
      text.data = text.data.replace(CALLOUT, "");
      const { nextSibling } = text;
      if (text.data === "" && nextSibling instanceof HTMLElement && nextSibling.tagName === "BR")
        nextSibling.remove();
      break;
    }
    const first = quote.querySelector("p");
    if (first && (first.textContent ?? "").trim() === "" && quote.children.length > 1) first.remove();
    const callout = rename(quote, "div", document);
    callout.dataset.type = "callout";
    callout.dataset.kind = CALLOUT_KIND[kind] ?? kind;
  }
  for (const details of [...body.querySelectorAll("details")]) {
    const isOpen = details.open;
    const summary = details.querySelector(":scope > summary");
    const line = document.createElement("div");
    line.dataset.type = "detailsSummary";
    if (summary) line.append(...summary.childNodes);
    summary?.remove();
    const content = document.createElement("div");
    content.dataset.type = "detailsContent";
    content.append(...details.childNodes);
    const whole = rename(details, "div", document);
    whole.dataset.type = "details";
    whole.dataset.open = String(isOpen);
    whole.append(line, content);
  }
}

function embeds(body: HTMLElement, document: Document): void {
  for (const frame of [...body.querySelectorAll("iframe, embed")]) {
    const video = embedOf(frame.getAttribute("src") ?? frame.getAttribute("data-src") ?? "");
    if (!video) {
      frame.remove();
      continue;
    }
    const block = document.createElement("div");
    block.dataset.type = "embed";
    block.dataset.provider = video.provider;
    block.dataset.id = video.id;
    frame.replaceWith(block);
  }
}

/** Converts link addresses to those of the content model; links with other addresses are removed and keep their text. */
function relink(body: HTMLElement, { hasPage, origin }: Course): void {
  for (const link of [...body.querySelectorAll("a")]) {
    const given = link.getAttribute("data-href") ?? link.getAttribute("href");
    const href = given && addressOf(given, hasPage, origin);
    if (!href) {
      unwrap(link);
      continue;
    }
    link.setAttribute("href", href);
    if (link.hasAttribute("data-href")) link.setAttribute("data-href", href);
  }
}

function addressOf(given: string, hasPage: Course["hasPage"], origin: string): string | null {
  const target = readHref(given);
  if (target?.kind === "page" && !hasPage(target.pageId)) return `${origin}/view-page/${target.pageId}`;
  // Headings of the source page do not exist here, and local files cannot be linked.
  if (given.startsWith("#") && !target) return null;
  if (target && target.kind !== "web") return given;
  if (given.startsWith("/view-page/") || given.startsWith("/edit-page/"))
    return addressOf(origin + given, hasPage, origin);
  if (!URL.canParse(given)) return null;
  const url = new URL(given);
  if (url.hostname.endsWith("google.com") && url.pathname === "/url") {
    const to = url.searchParams.get("q") ?? url.searchParams.get("url");
    if (to) return addressOf(to, hasPage, origin);
  }
  const [, pageId] = /^\/(?:view|edit)-page\/([0-9a-f-]{36})$/i.exec(url.pathname) ?? [];
  if (url.origin === origin && pageId && hasPage(pageId))
    return `page:${pageId}${decodeURIComponent(url.hash)}`;
  const href = target && !/\s/.test(given) ? given : url.href;
  return /^(https?|mailto):/.test(href) && href.length <= 4096 ? href : null;
}

/** Converts definition lists to bold terms with paragraphs below them. */
function definitions(body: HTMLElement, document: Document): void {
  for (const list of [...body.querySelectorAll("dl")]) {
    for (const term of [...list.querySelectorAll("dt")]) {
      const line = rename(term, "p", document);
      const bold = document.createElement("strong");
      bold.append(...line.childNodes);
      line.append(bold);
    }
    for (const meaning of [...list.querySelectorAll("dd")]) rename(meaning, "div", document);
    unwrap(list);
  }
}

/** Removes spaces and empty paragraphs that served for layout only. */
function spaces(body: HTMLElement, document: Document): void {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (text.parentElement?.closest("pre")) continue;
    text.data = text.data
      .replace(/[\u200b\ufeff\u00ad]/g, "")
      .replace(/\u00a0{2,}|(?<= )\u00a0|\u00a0(?= )/g, " ");
  }
  for (const line of [...body.querySelectorAll("p")]) {
    if (
      (line.textContent ?? "").replaceAll("\u00a0", " ").trim() === "" &&
      !line.querySelector("[data-type], br")
    )
      line.remove();
  }
}

const KEPT = new Set(["href", "colspan", "rowspan", "start", "type", "class", "data-href"]);
const OWN = /^data-(type|latex|kind|open|checked|provider|id|src)$/;

function dropAttributes(element: Element): void {
  for (const { name } of [...element.attributes]) {
    if (OWN.test(name) || (KEPT.has(name) && (name !== "class" || element.tagName === "CODE"))) continue;
    if (name === "style" && /^(TD|TH)$/.test(element.tagName)) {
      const align = (element as HTMLElement).style.textAlign;
      element.removeAttribute("style");
      if (/^(left|center|right)$/.test(align)) element.setAttribute("align", align);
      continue;
    }
    if (name === "align" && /^(TD|TH)$/.test(element.tagName)) continue;
    element.removeAttribute(name);
  }
  for (const name of ["colspan", "rowspan"]) {
    const span = Number(element.getAttribute(name) ?? 1);
    if (!(Number.isInteger(span) && span >= 1 && span <= 1000)) element.removeAttribute(name);
  }
  const provider = element.getAttribute("data-provider");
  if (provider && !EMBED_PROVIDERS.some((known) => known === provider)) element.remove();
}
