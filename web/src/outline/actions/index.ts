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
      // The next field takes the focus, not the row.
      const goesOn = by === "enter" && context.store.get().naming === id;
      items.rename(id, title, goesOn ? "blur" : by);
      if (goesOn) drafts.continueFrom(id);
    },
  };
}

export type OutlineActions = ReturnType<typeof outlineActions>;
