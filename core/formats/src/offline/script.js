// One page at a time, a search, both themes, the way on by keys. Without it all pages stand one after the other.
(() => {
  const root = document.documentElement;
  const body = document.body;
  const find = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const articles = all("main > article");
  const tree = find(".tree");
  const links = new Map(all("a", tree).map((link) => [link.hash, link]));
  const title = document.title;

  // Themes: the system's, until somebody chooses.
  const theme = find(".theme");
  const store = (value) => {
    try {
      if (value) localStorage.setItem("theme", value);
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  const night = matchMedia("(prefers-color-scheme: dark)");
  const draw = (value) => {
    if (value === "dark" || value === "light") root.dataset.theme = value;
    theme.setAttribute("aria-pressed", String((root.dataset.theme ?? (night.matches ? "dark" : "light")) === "dark"));
  };
  draw(store());
  night.addEventListener("change", () => draw());
  theme.addEventListener("click", () => {
    const next = theme.getAttribute("aria-pressed") === "true" ? "light" : "dark";
    store(next);
    draw(next);
  });
  theme.hidden = false;

  // Contents on a small screen.
  const menu = find(".menu");
  const opened = (open) => {
    body.toggleAttribute("data-open", open);
    menu.setAttribute("aria-expanded", String(open));
  };
  menu.addEventListener("click", () => opened(!body.hasAttribute("data-open")));
  menu.hidden = false;

  // Pages.
  let current = null;
  let reached = null;
  const decoded = (hash) => {
    try {
      return decodeURIComponent(hash.slice(1));
    } catch {
      return hash.slice(1);
    }
  };
  // The document contains each file once, at its first use.
  const address = (element) => (element.localName === "a" ? "href" : "src");
  const files = new Map();
  for (const element of all("[data-file]"))
    if (!files.has(element.dataset.file)) files.set(element.dataset.file, element);
  const fill = (article) => {
    for (const element of all("[data-file]", article)) {
      const first = files.get(element.dataset.file);
      if (first !== element) element.setAttribute(address(element), first.getAttribute(address(first)));
    }
  };
  const show = (article) => {
    if (article === current) return;
    current = article;
    fill(article);
    for (const one of articles) {
      if (one === article) one.removeAttribute("hidden");
      // What is hidden so is still found by the browser's own search.
      else one.setAttribute("hidden", "until-found");
    }
    for (const link of all("[aria-current]", tree)) link.removeAttribute("aria-current");
    const link = links.get(`#${article.id}`);
    if (link) {
      link.setAttribute("aria-current", "page");
      for (let at = link.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
      const box = find("#contents");
      const place = link.getBoundingClientRect();
      const frame = box.getBoundingClientRect();
      if (place.top < frame.top + 80 || place.bottom > frame.bottom - 40)
        box.scrollTop += place.top - frame.top - frame.height / 3;
    }
    const name = find("h1", article).textContent;
    document.title = name === title ? title : `${name} — ${title}`;
  };
  const go = () => {
    const target = location.hash.length > 1 ? document.getElementById(decoded(location.hash)) : null;
    if (target?.id === "main") return;
    const article = target?.closest("main > article") ?? articles[0];
    // The browser itself may have revealed it already.
    const turned = reached !== null && article !== reached;
    reached = article;
    show(article);
    opened(false);
    if (target && target !== article) target.scrollIntoView();
    else scrollTo(0, 0);
    if (turned) find("h1", article).focus({ preventScroll: true });
  };
  for (const article of articles) article.addEventListener("beforematch", () => show(article));
  addEventListener("hashchange", go);
  body.classList.add("paged");
  go();

  // Search: every word has to be there; titles before texts.
  const form = find("form[role=search]");
  const field = find("input", form);
  const found = find(".found", form);
  const results = find(".results", form);
  const folded = (text) => text.toLowerCase().replaceAll("ё", "е");
  let index = null;
  const text = (article) => {
    const words = find(".text", article)?.textContent ?? "";
    return words.replace(/\s+/g, " ");
  };
  const build = () =>
    articles.map((article) => {
      const words = text(article);
      const name = find("h1", article).textContent;
      return { article, name, words, foldedName: folded(name), foldedWords: folded(words) };
    });
  const snippet = (words, at, length) => {
    const from = Math.max(0, words.lastIndexOf(" ", Math.max(0, at - 40)) + 1);
    const line = document.createElement("span");
    const mark = document.createElement("mark");
    mark.textContent = words.slice(at, at + length);
    line.append(from > 0 ? "…" : "", words.slice(from, at), mark, `${words.slice(at + length, at + length + 60)}…`);
    return line;
  };
  const search = () => {
    const words = folded(field.value).split(/\s+/).filter(Boolean);
    results.replaceChildren();
    body.toggleAttribute("data-searching", words.length > 0);
    if (words.length === 0) {
      found.textContent = "";
      return;
    }
    index ??= build();
    const hits = [];
    for (const page of index) {
      if (!words.every((word) => page.foldedName.includes(word) || page.foldedWords.includes(word))) continue;
      const named = words.filter((word) => page.foldedName.includes(word)).length;
      hits.push({ page, named });
    }
    hits.sort((a, b) => b.named - a.named);
    found.textContent = hits.length > 0 ? `${body.dataset.found}: ${hits.length}` : body.dataset.nothing;
    for (const { page } of hits.slice(0, 50)) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = `#${encodeURIComponent(page.article.id)}`;
      const name = document.createElement("b");
      name.textContent = page.name;
      link.append(name);
      const word = words.find((one) => page.foldedWords.includes(one));
      if (word) link.append(snippet(page.words, page.foldedWords.indexOf(word), word.length));
      item.append(link);
      results.append(item);
    }
  };
  let timer = 0;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 120);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    search();
    find("a", results)?.focus();
  });
  form.hidden = false;

  // Keys: / searches, Escape leaves, arrows turn pages.
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const typing = event.target.closest?.("input, textarea, select, pre, .table, audio, video");
    if (event.key === "Escape") {
      if (event.target === field) {
        field.value = "";
        search();
      }
      if (body.hasAttribute("data-open")) menu.focus();
      opened(false);
    } else if (typing) {
      return;
    } else if (event.key === "/") {
      event.preventDefault();
      if (getComputedStyle(menu).display !== "none") opened(true);
      field.focus();
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      find(event.key === "ArrowLeft" ? ".around .previous" : ".around .next", current)?.click();
    }
  });

  // Code to take along.
  for (const block of all("figure.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = body.dataset.copy;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(find("code", block).textContent);
        button.textContent = body.dataset.copied;
        setTimeout(() => {
          button.textContent = body.dataset.copy;
        }, 2000);
      } catch {
        getSelection().selectAllChildren(find("code", block));
      }
    });
    block.append(button);
  }
})();
