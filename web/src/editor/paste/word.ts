/**
 * Rebuilds the lists of Word, which puts them on the clipboard as paragraphs with the level in a `mso-list` style and the marker as text.
 */
export function listsOfWord(body: HTMLElement, document: Document): void {
  /** The currently open lists, outermost first. */
  let open: { list: HTMLElement; level: number; id: string }[] = [];
  for (const line of [...body.querySelectorAll<HTMLElement>("p, h1, h2, h3, h4, h5, h6")]) {
    const position = listPositionOf(line);
    if (!position || line.closest("td, th") !== (open[0]?.list.closest("td, th") ?? line.closest("td, th"))) {
      open = [];
      if (!position) continue;
    }
    if (open.length > 0 && !followsOn(line, open[0]?.list)) open = [];
    const sign = takeSign(line, document);
    while ((open.at(-1)?.level ?? 0) > position.level) open.pop();
    if (open.at(-1)?.level === position.level && position.level === 1 && open.at(-1)?.id !== position.id)
      open.pop();
    let current = open.at(-1);
    if (!current || current.level < position.level) {
      const list = document.createElement(isOrdered(sign) ? "ol" : "ul");
      const start = /^\D*(\d+)/.exec(sign)?.[1];
      if (start && start !== "1" && list.tagName === "OL") list.setAttribute("start", start);
      const item = current?.list.lastElementChild;
      if (item) item.append(list);
      else line.before(list);
      current = { list, level: position.level, id: position.id };
      open.push(current);
    }
    const item = document.createElement("li");
    const text = document.createElement("p");
    text.append(...line.childNodes);
    item.append(text);
    line.remove();
    current.list.append(item);
  }
}

/** Whether the paragraph directly follows the list. */
function followsOn(line: Element, list: Element | undefined): boolean {
  return line.previousElementSibling === list;
}

/** The list and level of a paragraph, from `mso-list: l0 level1 lfo1`; null for a paragraph outside of lists. */
function listPositionOf(line: HTMLElement): { level: number; id: string } | null {
  const style = line.getAttribute("style") ?? "";
  const [, id, level] = /mso-list:\s*(l\d+)\s+level(\d+)/i.exec(style) ?? [];
  if (id && level) return { id, level: Number(level) };
  // Word for the web uses data attributes.
  const own = line.closest<HTMLElement>("[data-listid]");
  if (own) return { id: String(own.dataset.listid), level: Number(own.dataset.ariaLevel ?? 1) };
  return null;
}

/** Removes the leading bullet or number and returns it. */
function takeSign(line: HTMLElement, document: Document): string {
  for (const span of line.querySelectorAll<HTMLElement>("span")) {
    if (!/mso-list:\s*Ignore/i.test(span.getAttribute("style") ?? "")) continue;
    const sign = (span.textContent ?? "").trim();
    span.remove();
    return sign;
  }
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const first = walker.nextNode() as Text | null;
  const found = first && /^\s*([·•▪◦o§-]|\(?(?:\d+|[a-zа-я]|[ivx]+)[.)])[\s\u00a0]+/i.exec(first.data);
  if (!first || !found) return "";
  first.data = first.data.slice(found[0].length);
  return found[1] ?? "";
}

function isOrdered(sign: string): boolean {
  return /^\(?(\d+|[a-zа-я]|[ivxlc]+)[.)]/i.test(sign) && sign !== "o";
}
