import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { i18n } from "../../i18n";
import { failureText, showToast } from "../../ui/toasts";
import { uploadFile } from "../upload";
import { drawing, el } from "../views/dom";
import styles from "./uploads.module.css";

/** Uploads in progress are decorations beside the document, so a save during an upload does not contain them. */
const key = new PluginKey<UploadsState>("uploads");

interface UploadsState {
  shown: DecorationSet;
  /** Aborts each upload in progress of this editor. */
  running: Set<() => void>;
}

type Meta = { add: { id: number; at: number; dom: HTMLElement } } | { remove: number };

export const Uploads = Extension.create({
  name: "uploads",
  addProseMirrorPlugins() {
    return [
      new Plugin<UploadsState>({
        key,
        state: {
          init: () => ({ shown: DecorationSet.empty, running: new Set() }),
          apply: (tr, { shown, running }) => ({
            shown: applyMeta(shown.map(tr.mapping, tr.doc), tr),
            running,
          }),
        },
        props: { decorations: (state) => key.getState(state)?.shown },
        view: (view) => {
          const running = key.getState(view.state)?.running;
          // A closed editor has no document to insert its files into.
          return {
            destroy: () => {
              for (const stop of running ?? []) stop();
            },
          };
        },
      }),
    ];
  },
});

let lastId = 0;
/** The server's limit in characters; a slice by UTF-16 units is never longer. */
const MAX_ALT = 1000;

function applyMeta(shown: DecorationSet, tr: Transaction): DecorationSet {
  const meta = tr.getMeta(key) as Meta | undefined;
  if (!meta) return shown;
  if ("remove" in meta)
    return shown.remove(shown.find(undefined, undefined, (spec) => spec.id === meta.remove));
  const { id, at, dom } = meta.add;
  const spec = { id, side: -1, ignoreSelection: true, stopEvent: () => true };
  return shown.add(tr.doc, [Decoration.widget(at, dom, spec)]);
}

/**
 * Uploads the files in parallel and inserts each at `at` as soon as it is stored; at the selection by default. `alt` describes them if they
 * are images.
 */
export function insertFiles(
  view: EditorView,
  files: readonly File[],
  at?: number,
  alt: string | null = null,
): void {
  const { attachment, image } = view.state.schema.nodes;
  // A learner's answer cannot contain files.
  if (!attachment && !image) {
    showToast({
      kind: "failure",
      title: i18n.t("quiz.essay.noFiles"),
      text: i18n.t("quiz.essay.noFilesText"),
    });
    return;
  }
  const taken = attachment ? files : files.filter(({ type }) => type.startsWith("image/"));
  if (taken.length < files.length) refuseFile();
  for (const file of taken) insertFile(view, file, at, alt);
}

function refuseFile(): void {
  showToast({
    kind: "failure",
    title: i18n.t("errors.toastFailure"),
    text: i18n.t("editor.upload.onlyPictures"),
  });
}

function insertFile(view: EditorView, file: File, wanted: number | undefined, alt: string | null): void {
  lastId += 1;
  const id = lastId;
  const bar = el("progress", {
    max: 1,
    value: 0,
    "aria-label": i18n.t("editor.upload.progress", { name: file.name }),
  });
  const status = el("span", { class: styles.status ?? "", role: "status" });
  const actions = el("span", { class: styles.actions ?? "" });
  const dom = el(
    "div",
    { class: styles.upload ?? "", contenteditable: "false", "data-upload": "" },
    drawing("M12 16V4M7 9l5-5 5 5M4 20h16"),
    el("span", { class: styles.name ?? "" }, file.name || i18n.t("editor.upload.nameless")),
    status,
    bar,
    actions,
  );

  const running = key.getState(view.state)?.running;
  const remove = () => {
    running?.delete(stop);
    if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, { remove: id } satisfies Meta));
  };
  let cancel = new AbortController();
  const stop = () => cancel.abort();
  const button = (label: string, run: () => void) =>
    el("button", { type: "button", class: styles.button ?? "", onclick: run }, label);

  const start = async () => {
    cancel = new AbortController();
    running?.add(stop);
    dom.removeAttribute("data-failed");
    bar.hidden = false;
    bar.value = 0;
    status.textContent = "";
    actions.replaceChildren(button(i18n.t("ui.cancel"), stop));
    try {
      const attributes = await uploadFile(file, {
        signal: cancel.signal,
        onProgress: (share) => {
          bar.value = share;
        },
      });
      const type = view.state.schema.nodes[attributes.type];
      const found = key.getState(view.state)?.shown.find(undefined, undefined, (spec) => spec.id === id)[0];
      running?.delete(stop);
      if (view.isDestroyed || !found) return;
      // The server takes it for another kind of file than its name says.
      if (!type) {
        refuseFile();
        return remove();
      }
      const described = attributes.type === "image" && alt !== null ? { alt: alt.slice(0, MAX_ALT) } : {};
      insertAt(view, type.create({ ...attributes.attrs, ...described }), found.from, id);
    } catch (failure) {
      running?.delete(stop);
      if (cancel.signal.aborted) return remove();
      dom.setAttribute("data-failed", "");
      bar.hidden = true;
      status.textContent = failureText(failure);
      actions.replaceChildren(
        button(i18n.t("common.retry"), () => void start()),
        button(i18n.t("editor.upload.dismiss"), remove),
      );
    }
  };

  const at = blockBoundary(view, wanted ?? view.state.selection.from);
  view.dispatch(view.state.tr.setMeta(key, { add: { id, at, dom } } satisfies Meta));
  void start();
}

/** The nearest position between two blocks. */
function blockBoundary(view: EditorView, pos: number): number {
  const { image } = view.state.schema.nodes;
  const $pos = view.state.doc.resolve(Math.min(pos, view.state.doc.content.size));
  if ($pos.depth === 0) return $pos.pos;
  for (let depth = $pos.depth; depth > 0; depth -= 1) {
    const parent = $pos.node(depth - 1);
    if (image && parent.type.contentMatch.matchType(image)) {
      const isEmptyLine = depth === $pos.depth && $pos.parent.content.size === 0;
      return isEmptyLine ? $pos.before(depth) : $pos.after(depth);
    }
  }
  return $pos.after(1);
}

function insertAt(view: EditorView, node: Node, at: number, id: number): void {
  const { tr } = view.state;
  const next = tr.doc.resolve(at).nodeAfter;
  // A file dropped into an empty line replaces it, unless it is the last line: a page keeps a line to write on.
  const isEmptyLine = next?.type.name === "paragraph" && next.content.size === 0;
  if (isEmptyLine && tr.doc.resolve(at + next.nodeSize).nodeAfter)
    tr.replaceWith(at, at + next.nodeSize, node);
  else tr.insert(at, node);
  view.dispatch(tr.setMeta(key, { remove: id } satisfies Meta));
}
