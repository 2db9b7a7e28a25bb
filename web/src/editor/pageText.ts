import type { Node } from "@tiptap/pm/model";
import { toStored } from "./stored";

/** What a save carries: a page's title, its content and, on a quiz page, its quiz. */
export interface PageText {
  title: string | null;
  /** As it is stored. Worked out when it is asked for: an editor gives a text with every letter, and few of them are sent. */
  readonly content: unknown;
  /** Null on a content page. */
  quiz: unknown;
  /** Two texts with the same one have the same content. */
  contentKey: unknown;
}

export function ofEditor(title: string, doc: Node, quiz: unknown = null): PageText {
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

export function ofServer(page: { title?: string | null; content: unknown; authorQuiz?: unknown }): PageText {
  return {
    title: page.title ?? null,
    content: page.content,
    quiz: page.authorQuiz ?? null,
    contentKey: page.content,
  };
}
