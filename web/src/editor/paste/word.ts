/**
 * Word puts lists on the clipboard as paragraphs: their level is in a style of its own, their sign is text in front. This builds the
 * lists they were.
 */
export function listsOfWord(body: HTMLElement, document: Document): void {
  /** The lists that are open, outermost first. */
  let open: { list: HTMLElement; level: number; id: string }[] = [];
  for (const line of [...body.querySelectorAll<HTMLElement>("p, h1, h2, h3, h4, h5, h6")]) {
    const place = placeOf(line);
    if (!place || line.closest("td, th") !== (open[0]?.list.closest("td, th") ?? line.closest("td, th"))) {
      open = [];
      if (!place) continue;
    }
    if (open.length > 0 && !followsOn(line, open[0]?.list)) open = [];
    const sign = takeSign(line, document);
    while ((open.at(-1)?.level ?? 0) > place.level) open.pop();
    if (open.at(-1)?.level === place.level && place.level === 1 && open.at(-1)?.id !== place.id) open.pop();
    let current = open.at(-1);
    if (!current || current.level < place.level) {
      const list = document.createElement(isOrdered(sign) ? "ol" : "ul");
      const start = /^\D*(\d+)/.exec(sign)?.[1];
      if (start && start !== "1" && list.tagName === "OL") list.setAttribute("start", start);
      const item = current?.list.lastElementChild;
      if (item) item.append(list);
      else line.before(list);
      current = { list, level: place.level, id: place.id };
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

/** Nothing but spaces between a list and the paragraph. */
function followsOn(line: Element, list: Element | undefined): boolean {
  return line.previousElementSibling === list;
}

/** `mso-list: l0 level1 lfo1`: which list, and how deep. */
function placeOf(line: HTMLElement): { level: number; id: string } | null {
  const style = line.getAttribute("style") ?? "";
  const [, id, level] = /mso-list:\s*(l\d+)\s+level(\d+)/i.exec(style) ?? [];
  if (id && level) return { id, level: Number(level) };
  // Word on the web says it by attributes of its own.
  const own = line.closest<HTMLElement>("[data-listid]");
  if (own) return { id: String(own.dataset.listid), level: Number(own.dataset.ariaLevel ?? 1) };
  return null;
}

/** Takes the bullet or the number in front away and answers with it. */
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
