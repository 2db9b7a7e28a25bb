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
  return {
    ...view,
    ...selection,
    ...moves,
    ...itemActions(context, view, moves),
    ...draftActions(context, view),
  };
}

export type OutlineActions = ReturnType<typeof outlineActions>;
