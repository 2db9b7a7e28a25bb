import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { type Language, languageOf } from "../../content/highlight/languages";
import { highlighted, highlightWhenIdle } from "../../content/highlight/queue";

/** Milliseconds without a change before code is coloured again; until then its colours move with the text. */
const PAUSE_MS = 250;
const key = new PluginKey<DecorationSet>("codeColours");

/** Colours the code of blocks with a known language, as learners see it, when typing pauses. */
export const CodeColours = Extension.create({
  name: "codeColours",
  addProseMirrorPlugins() {
    return [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: () => DecorationSet.empty,
          apply: (tr, colours) =>
            (tr.getMeta(key) as DecorationSet | undefined) ?? colours.map(tr.mapping, tr.doc),
        },
        props: { decorations: (state) => key.getState(state) },
        view: (view) => {
          const painter = new Painter(view);
          painter.soon();
          return {
            update: (_, before) => {
              if (!before.doc.eq(view.state.doc)) painter.soon();
            },
            destroy: () => painter.stop(),
          };
        },
      }),
    ];
  },
});

class Painter {
  readonly #view: EditorView;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cancel: (() => void)[] = [];

  constructor(view: EditorView) {
    this.#view = view;
  }

  soon(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#paint(), PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const cancel of this.#cancel.splice(0)) cancel();
  }

  /** Sets the colours of all blocks that are known, and asks for the others, which keep what they have until then. */
  #paint(): void {
    const { state } = this.#view;
    const before = key.getState(state) ?? DecorationSet.empty;
    const all: Decoration[] = [];
    const wanted = new Map<string, [string, Language]>();
    state.doc.descendants((node, pos) => {
      const block = codeOf(node);
      if (!block) return !node.isTextblock;
      const html = highlighted(...block);
      if (html === null) {
        wanted.set(block.join("\n"), block);
        all.push(...before.find(pos, pos + node.nodeSize));
      } else all.push(...colours(html, pos));
      return false;
    });
    this.#show(DecorationSet.create(state.doc, all));
    // A change of the document cancels this, so the block is still where it was when the request was sent.
    this.#cancel = [...wanted.values()].map((block) =>
      highlightWhenIdle(...block, (html) => this.#colour(block, html)),
    );
  }

  /** Colours the blocks with this code alone: a long page has many. */
  #colour([code, language]: [string, Language], html: string): void {
    const { state } = this.#view;
    let shown = key.getState(state) ?? DecorationSet.empty;
    state.doc.descendants((node, pos) => {
      const block = codeOf(node);
      if (block?.[0] === code && block[1] === language)
        shown = shown.remove(shown.find(pos, pos + node.nodeSize)).add(state.doc, colours(html, pos));
      return !node.isTextblock;
    });
    this.#show(shown);
  }

  #show(colours: DecorationSet): void {
    this.#view.dispatch(this.#view.state.tr.setMeta(key, colours).setMeta("addToHistory", false));
  }
}

/** The colours of the block at a position. */
function colours(html: string, pos: number): Decoration[] {
  return spansOf(html).map(({ from, to, name }) =>
    Decoration.inline(pos + 1 + from, pos + 1 + to, { class: name }),
  );
}

function codeOf(node: Node): [string, Language] | null {
  if (node.type.name !== "codeBlock" || node.content.size === 0) return null;
  const language = languageOf(node.attrs.language as string | null);
  return language && [node.textContent, language];
}

/** The classes of highlighted HTML by their places in its text; inner spans come after the ones around them. */
function spansOf(html: string): { from: number; to: number; name: string }[] {
  const spans: { from: number; to: number; name: string }[] = [];
  const walk = (node: globalThis.Node, start: number): number => {
    if (node.nodeType === 3) return start + (node.nodeValue?.length ?? 0);
    let at = start;
    const span =
      node instanceof Element && node.className ? { from: start, to: start, name: node.className } : null;
    if (span) spans.push(span);
    for (const child of node.childNodes) at = walk(child, at);
    if (span) span.to = at;
    return at;
  };
  // Parsed inertly: the text of a code block never becomes part of this document.
  walk(new DOMParser().parseFromString(`<pre>${html}</pre>`, "text/html").body, 0);
  return spans;
}
