import { Extension } from "@tiptap/core";
import { Fragment, DOMParser as ModelParser, type ResolvedPos, Slice } from "@tiptap/pm/model";
import { Plugin, Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { readHref } from "../../content/addresses";
import { i18n } from "../../i18n";
import { showToast } from "../../ui/toasts";
import { whenIdle } from "../../ui/whenIdle";
import { insertBlock } from "../behaviour/blocks";
import { insertFiles } from "../behaviour/uploads";
import { embedOf } from "../embedOf";
import { type Cleaned, cleanHtml } from "./clean";
import { looksLikeMarkdown } from "./looksLikeMarkdown";
import type { Picture } from "./pictures";

interface Options {
  /** Whether a page belongs to the edited course. */
  hasPage: (pageId: string) => boolean;
}

/** Converts pasted and dropped content of any source to the content model. */
export const Paste = Extension.create<Options>({
  // Every TipTap editor has an extension named "paste" already.
  name: "cleanPaste",
  addOptions: () => ({ hasPage: () => false }),
  addProseMirrorPlugins() {
    const { options } = this;
    // Set between the key press of Ctrl+Shift+V, which pastes plain text, and its paste event.
    let isPlainNext = false;
    const take = (view: EditorView, data: DataTransfer | null): boolean => {
      const isPlain = isPlainNext;
      isPlainNext = false;
      if (!data) return false;
      const html = data.getData("text/html");
      const text = data.getData("text/plain");
      const files = [...data.files];
      if (files.length > 0 && !hasWords(html)) {
        insertFiles(view, files);
        return true;
      }
      if (isPlain || view.state.selection.$from.parent.type.spec.code) return false;
      const language = languageOfVsCode(data);
      if (language !== null && language !== "markdown") return pasteCode(view, text, language);
      if (html && language === null) {
        pasteHtml(view, html, options.hasPage);
        return true;
      }
      return pasteText(view, text, options.hasPage);
    };
    return [
      new Plugin({
        // Preload the parser, so that the first paste of Markdown needs no network.
        view: () => ({ destroy: whenIdle(() => void loadMarkdownParser()) }),
        props: {
          handleKeyDown: (_view, event) => {
            isPlainNext = event.shiftKey && (event.ctrlKey || event.metaKey) && event.code === "KeyV";
            return false;
          },
          handlePaste: (view, event) => take(view, event.clipboardData),
          handleDrop: (view, event, _slice, moved) => {
            if (moved || !event.dataTransfer) return false;
            const files = [...event.dataTransfer.files];
            const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
            if (files.length === 0)
              return dropHtml(view, event.dataTransfer.getData("text/html"), at, options.hasPage);
            event.preventDefault();
            insertFiles(view, files, at);
            return true;
          },
          // For HTML that ProseMirror parses itself; it cannot upload images.
          transformPastedHTML: (html) =>
            withoutImages(cleanHtml(html, { hasPage: options.hasPage, origin: location.origin })),
          clipboardTextParser: (text, $context) => plainSlice(text, $context),
        },
      }),
    ];
  },
});

/** Whether HTML holds more than one image: a copied image comes as a file and as HTML around it, and the file is wanted. */
function hasWords(html: string): boolean {
  if (html === "") return false;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return (body.textContent ?? "").trim() !== "" || body.querySelectorAll("table, img").length > 1;
}

/** The language of text copied in Visual Studio Code; null for other sources. */
function languageOfVsCode(data: DataTransfer): string | null {
  try {
    const { mode } = JSON.parse(data.getData("vscode-editor-data")) as { mode?: string };
    return mode ?? "plaintext";
  } catch {
    return null;
  }
}

function pasteCode(view: EditorView, text: string, language: string): boolean {
  // Code of one line is inserted into the line.
  if (!text.trim().includes("\n")) return false;
  const { schema, tr } = view.state;
  const code = text.replaceAll("\r\n", "\n").replace(/\n+$/, "");
  const attrs = { language: language === "plaintext" ? null : language };
  const block = schema.nodes.codeBlock?.create(attrs, schema.text(code));
  if (!block) return false;
  view.dispatch(tr.replaceSelectionWith(block).scrollIntoView());
  return true;
}

function pasteHtml(view: EditorView, html: string, hasPage: Options["hasPage"]): void {
  const cleaned = cleanHtml(html, { hasPage, origin: location.origin });
  // ProseMirror parses its own slices; `transformPastedHTML` runs again and keeps them.
  if (cleaned.html.includes("data-pm-slice")) {
    view.pasteHTML(html, emptyPaste());
    return;
  }
  // DOMParser gives an inert document: nothing in it is loaded or run.
  const { body } = new DOMParser().parseFromString(cleaned.html, "text/html");
  const slice = ModelParser.fromSchema(view.state.schema).parseSlice(body, {
    preserveWhitespace: false,
    context: view.state.selection.$from,
  });
  view.dispatch(view.state.tr.replaceSelection(closed(slice)).setMeta("paste", true).scrollIntoView());
  placePictures(view, cleaned.pictures);
  if (cleaned.missing > 0)
    showToast({
      kind: "failure",
      title: i18n.t("editor.paste.notTaken", { count: cleaned.missing }),
      text: i18n.t("editor.paste.howToTake"),
    });
}

/** Inserts HTML that was dragged in from another window; returns false for HTML that ProseMirror handles. */
function dropHtml(
  view: EditorView,
  html: string,
  at: number | undefined,
  hasPage: Options["hasPage"],
): boolean {
  if (html === "" || html.includes("data-pm-slice") || at === undefined) return false;
  const $at = view.state.doc.resolve(at);
  if ($at.parent.type.spec.code) return false;
  view.dispatch(view.state.tr.setSelection(Selection.near($at)));
  pasteHtml(view, html, hasPage);
  return true;
}

/** Cleaned HTML without the placeholders of its images. */
function withoutImages({ html, pictures }: Cleaned): string {
  return pictures.reduce((rest, { mark }) => rest.replace(`<p>${mark}</p>`, "").replace(mark, ""), html);
}

/** ProseMirror passes this event to the plugins again; it has no data, so this plugin does not handle it twice. */
function emptyPaste(): ClipboardEvent {
  return new ClipboardEvent("paste");
}

/** Closes a slice of several blocks, which are inserted as they are; opens one of a single line, which joins the line at the cursor. */
function closed(slice: Slice): Slice {
  const { content } = slice;
  const isOneLine = content.childCount === 1 && content.firstChild?.type.name === "paragraph";
  return isOneLine ? new Slice(content, 1, 1) : new Slice(content, 0, 0);
}

/** Uploads the images that came inside the text, and removes their placeholders. */
function placePictures(view: EditorView, pictures: readonly Picture[]): void {
  for (const { mark, file, alt } of pictures) {
    let at: number | null = null;
    view.state.doc.descendants((node, pos) => {
      if (node.isText && node.text?.includes(mark)) at = pos + node.text.indexOf(mark);
      return at === null;
    });
    if (at === null) continue;
    view.dispatch(view.state.tr.delete(at, at + mark.length));
    insertFiles(view, [file], at, alt);
  }
}

function pasteText(view: EditorView, text: string, hasPage: Options["hasPage"]): boolean {
  const address = text.trim();
  const { selection, schema } = view.state;
  const video = embedOf(address);
  const isEmptyLine = selection.empty && selection.$from.parent.content.size === 0;
  if (video && isEmptyLine && schema.nodes.embed) {
    view.dispatch(insertBlock(view.state.tr, schema.nodes.embed.create(video)).scrollIntoView());
    return true;
  }
  // An address pasted over selected text makes it a link.
  const isAddress = /^\S+$/.test(address) && ["web", "mail"].includes(readHref(address)?.kind ?? "");
  if (isAddress && schema.marks.link) {
    const link = schema.marks.link.create({ href: address });
    const { tr } = view.state;
    if (selection.empty) tr.replaceSelectionWith(schema.text(address, [link]), false);
    else tr.addMark(selection.from, selection.to, link);
    view.dispatch(tr.removeStoredMark(link).scrollIntoView());
    return true;
  }
  if (!looksLikeMarkdown(text)) return false;
  if (markdownToHtml) {
    pasteHtml(view, markdownToHtml(text), hasPage);
    return true;
  }
  // The plain text is inserted until the parser is loaded, so that a lost connection or a reload cannot lose it.
  const { tr } = view.state;
  view.dispatch(tr.replaceSelection(plainSlice(text, selection.$from)).scrollIntoView());
  const [from, to] = [tr.mapping.map(selection.from, -1), tr.mapping.map(selection.to, 1)];
  const pasted = view.state.doc;
  void loadMarkdownParser().then((parse) => {
    if (!parse || view.isDestroyed || !view.editable || !view.state.doc.eq(pasted)) return;
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, from, to)));
    pasteHtml(view, parse(text), hasPage);
  });
  return true;
}

/** The Markdown parser, once it is loaded. */
let markdownToHtml: typeof import("./markdown").markdownToHtml | null = null;

/** Loads the Markdown parser; returns null if its code cannot be loaded. */
async function loadMarkdownParser(): Promise<typeof markdownToHtml> {
  try {
    ({ markdownToHtml } = await import("./markdown"));
  } catch {
    // The next paste retries.
  }
  return markdownToHtml;
}

/** Parses plain text: an empty line starts a paragraph, a line break stays a line break. */
function plainSlice(text: string, $context: ResolvedPos): Slice {
  const { schema } = $context.doc.type;
  const lines = (part: string) =>
    part
      .split("\n")
      .flatMap((line, at) => [
        ...(at > 0 && schema.nodes.hardBreak ? [schema.nodes.hardBreak.create()] : []),
        ...(line ? [schema.text(line)] : []),
      ]);
  const paragraphs = text
    .replaceAll("\0", "")
    .replace(/\r\n?/g, "\n")
    .split(/\n{2,}/)
    .map((part) => schema.nodes.paragraph?.create(null, lines(part.replace(/^\n+|\n+$/g, ""))))
    .filter((node) => node !== undefined);
  return Slice.maxOpen(Fragment.from(paragraphs));
}
