import { Extension } from "@tiptap/core";
import { DOMParser as ModelParser, type ResolvedPos, Slice } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { readHref } from "../../content/addresses";
import { insertFiles } from "../behaviour/uploads";
import { embedOf } from "../embedOf";
import { cleanHtml, type Picture } from "./clean";
import { looksLikeMarkdown } from "./looksLikeMarkdown";

interface Options {
  /** Whether a page is one of the course that is written. */
  hasPage: (pageId: string) => boolean;
}

/** What comes from the clipboard or is dropped, from wherever, as the content model says it. */
export const Paste = Extension.create<Options>({
  // Not «paste»: TipTap has an extension of that name in every editor.
  name: "cleanPaste",
  addOptions: () => ({ hasPage: () => false }),
  addProseMirrorPlugins() {
    const { options } = this;
    // Ctrl+Shift+V wants the bare text.
    let isPlain = false;
    const take = (view: EditorView, data: DataTransfer | null): boolean => {
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
        props: {
          handleKeyDown: (_view, event) => {
            isPlain = event.shiftKey;
            return false;
          },
          handlePaste: (view, event) => take(view, event.clipboardData),
          handleDrop: (view, event, _slice, moved) => {
            if (moved || !event.dataTransfer) return false;
            const files = [...event.dataTransfer.files];
            const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
            if (files.length === 0) return false;
            event.preventDefault();
            insertFiles(view, files, at);
            return true;
          },
          // What is dragged in from another window passes through the same hands.
          transformPastedHTML: (html) =>
            cleanHtml(html, { hasPage: options.hasPage, origin: location.origin }).html,
          clipboardTextParser: (text, $context) => plainSlice(text, $context),
        },
      }),
    ];
  },
});

/** A copied picture comes as a file and as a line of HTML around it; then the file is what was meant. */
function hasWords(html: string): boolean {
  if (html === "") return false;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return (body.textContent ?? "").trim() !== "" || body.querySelectorAll("table, img").length > 1;
}

/** The language of what was copied in Visual Studio Code; null when it comes from elsewhere. */
function languageOfVsCode(data: DataTransfer): string | null {
  try {
    const { mode } = JSON.parse(data.getData("vscode-editor-data")) as { mode?: string };
    return mode ?? "plaintext";
  } catch {
    return null;
  }
}

function pasteCode(view: EditorView, text: string, language: string): boolean {
  // A word or two of code go into the line.
  if (!text.trim().includes("\n")) return false;
  const { schema, tr } = view.state;
  const code = text.replaceAll("\r\n", "\n").replace(/\n+$/, "");
  const attrs = { language: language === "plaintext" ? null : language };
  const block = schema.nodes.codeBlock?.create(attrs, schema.text(code));
  if (!block) return false;
  view.dispatch(tr.replaceSelectionWith(block).scrollIntoView());
  return true;
}

export function pasteHtml(view: EditorView, html: string, hasPage: Options["hasPage"]): void {
  const cleaned = cleanHtml(html, { hasPage, origin: location.origin });
  // ProseMirror knows what the slice of another ProseMirror was; it passes `transformPastedHTML` again, which leaves it alone.
  if (cleaned.html.includes("data-pm-slice")) {
    view.pasteHTML(html, emptyPaste());
    return;
  }
  const holder = document.createElement("div");
  holder.innerHTML = cleaned.html;
  const slice = ModelParser.fromSchema(view.state.schema).parseSlice(holder, {
    preserveWhitespace: false,
    context: view.state.selection.$from,
  });
  view.dispatch(view.state.tr.replaceSelection(closed(slice)).setMeta("paste", true).scrollIntoView());
  placePictures(view, cleaned.pictures);
}

/** ProseMirror asks the plugins about a paste; this one has been asked. */
function emptyPaste(): ClipboardEvent {
  return new ClipboardEvent("paste");
}

/** A slice of more than one block keeps its blocks as they are; one of a single line flows into the line it is pasted to. */
function closed(slice: Slice): Slice {
  const { content } = slice;
  const isOneLine = content.childCount === 1 && content.firstChild?.type.name === "paragraph";
  return isOneLine ? new Slice(content, 1, 1) : new Slice(content, 0, 0);
}

/** Puts the pictures that came inside the text where they stood, on their way to the server. */
function placePictures(view: EditorView, pictures: readonly Picture[]): void {
  for (const { mark, file } of pictures) {
    let at: number | null = null;
    view.state.doc.descendants((node, pos) => {
      if (node.isText && node.text?.includes(mark)) at = pos + node.text.indexOf(mark);
      return at === null;
    });
    if (at === null) continue;
    view.dispatch(view.state.tr.delete(at, at + mark.length));
    insertFiles(view, [file], at);
  }
}

function pasteText(view: EditorView, text: string, hasPage: Options["hasPage"]): boolean {
  const address = text.trim();
  const { selection, schema } = view.state;
  const video = embedOf(address);
  const isEmptyLine = selection.empty && selection.$from.parent.content.size === 0;
  if (video && isEmptyLine && schema.nodes.embed) {
    view.dispatch(view.state.tr.replaceSelectionWith(schema.nodes.embed.create(video)).scrollIntoView());
    return true;
  }
  // An address onto chosen words makes them a link.
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
  // The reader of Markdown comes when it is needed first.
  const bookmark = selection.getBookmark();
  void import("./markdown").then(
    ({ markdownToHtml }) => {
      if (!view.isDestroyed) pasteHtml(view, markdownToHtml(text), hasPage);
    },
    () => {
      if (view.isDestroyed) return;
      view.dispatch(view.state.tr.setSelection(bookmark.resolve(view.state.doc)).insertText(text));
    },
  );
  return true;
}

/** Plain text: an empty line begins a paragraph, a line break is a line break. */
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
  return Slice.maxOpen(schema.nodes.doc?.create(null, paragraphs).content ?? (null as never));
}
