import { Store } from "@tanstack/react-store";
import { keepCollapsed, readCollapsed } from "./collapsed";
import type { OutlineDialog } from "./OutlineDialogs";
import type { Draft, Saving } from "./rows";
import type { Selection } from "./selection";

/** A quiz page that the server refused to publish. */
export interface Refused {
  id: string;
  /** The server's message. */
  reason: string;
}

/** The outline's state on this screen; the tree itself is in Apollo's cache. */
export interface OutlineState {
  /** Ids of the closed modules and lessons. */
  collapsed: ReadonlySet<string>;
  /** The new item whose title is being typed. */
  draft: Draft | null;
  /** New items sent to the server; `id` once it has answered. */
  saving: readonly (Saving & { id?: string })[];
  /** The item whose title is being edited. */
  editing: string | null;
  /** The first page of a new lesson, while its title is edited as the first of several; Enter goes on with the next page. */
  naming: string | null;
  /** The server's reason to reject the title of `draft` or `editing`. */
  refusal: string | null;
  selection: Selection | null;
  /** The row that Tab reaches. */
  active: string | null;
  /** The row that takes the focus as soon as it is rendered. */
  focusTarget: string | null;
  /** For screen readers. */
  announcement: string;
  dialog: OutlineDialog | null;
}

/** Holds the state of one course's outline. */
export class OutlineStore extends Store<OutlineState> {
  constructor(private readonly courseId: string) {
    super({
      collapsed: readCollapsed(courseId),
      draft: null,
      saving: [],
      editing: null,
      naming: null,
      refusal: null,
      selection: null,
      active: null,
      focusTarget: null,
      announcement: "",
      dialog: null,
    });
  }

  update(change: Partial<OutlineState>): void {
    if (change.collapsed) keepCollapsed(this.courseId, change.collapsed);
    this.setState((state) => ({ ...state, ...change }));
  }
}
