import type { OutlineContext } from "./context";
import { draftActions } from "./draftActions";
import { itemActions } from "./itemActions";
import { moveActions } from "./moveActions";
import { selectionActions } from "./selectionActions";
import { viewActions } from "./viewActions";

/** Everything that rows, keys and menus can do to an outline. */
export function outlineActions(context: OutlineContext) {
  const view = viewActions(context);
  const selection = selectionActions(context, view);
  const moves = moveActions(context, view, selection);
  const items = itemActions(context, view, moves);
  const drafts = draftActions(context, view);
  return {
    ...view,
    ...selection,
    ...moves,
    ...items,
    ...drafts,
    rename: (id: string, title: string, by: "enter" | "blur") => {
      items.rename(id, title, by);
      if (by === "enter") drafts.continueFrom(id);
    },
  };
}

export type OutlineActions = ReturnType<typeof outlineActions>;
