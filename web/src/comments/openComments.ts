import { createStore, type Store } from "@tanstack/react-store";
import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { THREAD_START_QUOTE_MAX } from "../limits.generated";
import type { Mark } from "./threads";

/** What a new thread is about: a block by its index among the top-level blocks, and its words. Null for the whole page. */
export interface Place {
  block: number;
  quote: string;
}

export interface CommentsState {
  isOpen: boolean;
  /** The thread to bring into view, with the focus in it if it was opened by a person; a new object each time. */
  shown: { id: string } | null;
  /** The place of the thread that is being started, and which start it is. */
  started: { place: Place | null; number: number } | null;
  /** Number of open threads; null until it is known. */
  count: number | null;
}

/** The comments of an open page, as far as the frame and the text around them need it. The code of the panel is loaded later. */
export class OpenComments {
  readonly state: Store<CommentsState>;
  #starts = 0;

  constructor(thread?: string) {
    this.state = createStore<CommentsState>({
      isOpen: thread !== undefined,
      shown: thread === undefined ? null : { id: thread },
      started: null,
      count: null,
    });
  }

  readonly toggle = (): void => this.#change({ isOpen: !this.state.get().isOpen, started: null });
  readonly close = (): void => this.#change({ isOpen: false, started: null });
  readonly show = (id: string): void => this.#change({ isOpen: true, shown: { id }, started: null });
  /** Shows the first thread of a block. */
  readonly showFirst = (marks: readonly Mark[], block: number): void => {
    const first = marks.find((mark) => mark.block === block)?.threads[0];
    if (first !== undefined) this.show(first);
  };
  readonly start = (place: Place | null): void => {
    this.#starts += 1;
    this.#change({ isOpen: true, started: { place, number: this.#starts } });
  };
  readonly endStart = (): void => this.#change({ started: null });
  readonly setCount = (count: number): void => {
    if (this.state.get().count !== count) this.#change({ count });
  };

  #change(change: Partial<CommentsState>): void {
    this.state.setState((state) => ({ ...state, ...change }));
  }
}

/** The block of the selection with the selected words, or with those that it begins with. */
export function placeOf({ state }: Editor): Place {
  const { doc, selection } = state;
  const { $from, from, to } = selection;
  const block = Math.min($from.index(0), doc.childCount - 1);
  // The words of one block, by which it is found again.
  const selected = doc.textBetween(from, $from.depth > 0 ? Math.min(to, $from.end(1)) : to, " ");
  return { block, quote: shortened(selected.trim() ? selected : wordsOf(doc.child(block))) };
}

/** The words of a block. */
export const wordsOf = (block: Node): string => block.textBetween(0, block.content.size, " ", " ");

/** A quote from a text: without breaks and repeated spaces, and not too long. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length > THREAD_START_QUOTE_MAX
    ? characters.slice(0, THREAD_START_QUOTE_MAX).join("")
    : line;
}
