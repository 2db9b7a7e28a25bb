import { i18n } from "../../i18n";
import { ranged, type Selection, toggled } from "../selection";
import { inOrder } from "../tree";
import { entryOf, type OutlineContext, selectionOf } from "./context";
import type { ViewActions } from "./viewActions";

export function selectionActions(context: OutlineContext, view: ViewActions) {
  const { store, tree, rows } = context;
  return {
    select: (id: string, how: "toggle" | "range") => {
      const kind = entryOf(context, id)?.kind;
      if (!kind) return;
      const selection = selectionOf(context);
      const next = how === "range" ? ranged(selection, rows(), id, id) : toggled(selection, kind, id);
      store.update({ selection: next, active: id });
      view.announce(i18n.t("outline.selectedNow", { count: next?.ids.size ?? 0 }));
    },
    setSelection: (selection: Selection | null) => store.update({ selection }),
    /** The whole selection when the item is part of it, otherwise the item alone; in document order. */
    idsWith: (id: string): string[] => {
      const selection = selectionOf(context);
      return selection?.ids.has(id) ? inOrder(tree(), selection.ids) : [id];
    },
  };
}

export type SelectionActions = ReturnType<typeof selectionActions>;
