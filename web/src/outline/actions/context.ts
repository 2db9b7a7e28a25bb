import type { OutlineEdits } from "../outlineEdits";
import type { OutlineStore } from "../outlineStore";
import type { Row } from "../rows";
import { existing, type Selection } from "../selection";
import { indexOf, type Tree, type TreeEntry } from "../tree";

/** What the actions of an outline work on. */
export interface OutlineContext {
  store: OutlineStore;
  edits: OutlineEdits;
  /** The course as it is shown now: as cached, without the items that wait to be deleted. */
  tree: () => Tree;
  /** The rows of that tree. */
  rows: () => Row[];
  openPage: (pageId: string) => void;
}

export function entryOf(context: OutlineContext, id: string | undefined): TreeEntry | undefined {
  return id === undefined ? undefined : indexOf(context.tree()).get(id);
}

/** The selection as far as its items still exist. */
export function selectionOf(context: OutlineContext): Selection | null {
  const entries = indexOf(context.tree());
  return existing(context.store.get().selection, (id) => entries.has(id));
}
