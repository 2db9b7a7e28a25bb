import type { Node } from "@tiptap/pm/model";
import { toStored } from "./stored";

/** The text that a save carries: a page's title, its content and, on a quiz page, its quiz. */
export interface PageText {
  title: string | null;
  /** The content as it is stored. A getter may compute it, because an editor passes a text per key press and few of them are sent. */
  readonly content: unknown;
  /** Null on a content page. */
  quiz: unknown;
  /** Texts with the same key have the same content; null for content that the editor cannot change and a save must not carry. */
  contentKey: unknown;
}

export function editorText(title: string, doc: Node, quiz: unknown = null): PageText {
  let content: unknown;
  return {
    title: title.trim() === "" ? null : title.trim(),
    get content() {
      content ??= toStored(doc);
      return content;
    },
    quiz,
    contentKey: doc,
  };
}

export function serverText(page: {
  title?: string | null;
  content: unknown;
  authorQuiz?: unknown;
}): PageText {
  return {
    title: page.title ?? null,
    content: page.content,
    quiz: page.authorQuiz ?? null,
    contentKey: page.content,
  };
}
