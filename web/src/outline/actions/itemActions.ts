import { i18n } from "../../i18n";
import { failureText, toastFailure, toastSuccess } from "../../ui/toasts";
import type { Row } from "../rows";
import { entryTitle } from "../titles";
import { entryOf, type OutlineContext } from "./context";
import type { MoveActions } from "./moveActions";
import type { ViewActions } from "./viewActions";

/** Actions on items that exist: titles, publication, copies and deletion. */
export function itemActions(context: OutlineContext, view: ViewActions, moves: MoveActions) {
  const { store, edits, rows, openPage } = context;
  /** The row that takes the focus when items are deleted: the next one that stays, else the previous one. */
  const neighbourOf = (ids: readonly string[]): Row | undefined => {
    const gone = new Set(ids);
    const stays = (row: Row) => {
      if (gone.has(row.key)) return false;
      for (let parent: string | undefined = row.parentId; parent; parent = entryOf(context, parent)?.parentId)
        if (gone.has(parent)) return false;
      return true;
    };
    const all = rows();
    const at = all.findIndex((row) => row.key === ids[0]);
    return all.slice(at + 1).find(stays) ?? all.slice(0, Math.max(0, at)).findLast(stays);
  };
  return {
    open: openPage,
    edit: (id: string) => store.update({ editing: id, active: id, draft: null, refusal: null }),
    stopEditing: (id: string, by: "escape" | "blur") => {
      store.update({ editing: null });
      if (by === "escape") view.focus(id);
    },
    rename: (id: string, title: string, by: "enter" | "blur") => {
      const entry = entryOf(context, id);
      store.update({ editing: null });
      if (by === "enter") view.focus(id);
      if (!entry || (entry.item.title ?? "") === title) return;
      edits.rename(entry.kind, id, title || null).catch((error: unknown) => {
        toastFailure(error);
        store.update({ refusal: failureText(error) });
      });
    },
    publish: async (ids: readonly string[], published: boolean) => {
      const quizzes = await edits.publish(ids, published);
      if (quizzes.length > 0) store.update({ dialog: { kind: "unfinished", quizzes } });
    },
    duplicate: (id: string) => {
      const entry = entryOf(context, id);
      if (!entry) return;
      edits.duplicate(entry.kind, id).then((copy) => {
        toastSuccess(i18n.t("outline.copied"));
        view.focus(copy);
      }, toastFailure);
    },
    remove: (ids: readonly string[]) => {
      const first = entryOf(context, ids[0]);
      if (!first) return;
      const neighbour = neighbourOf(ids);
      const title = entryTitle(first, i18n.t);
      edits.remove(ids, i18n.t(`outline.deleted.${first.kind}`, { count: ids.length, title }), () =>
        view.focus(first.item.id),
      );
      moves.forgetMoves();
      store.update({ selection: null });
      if (neighbour) view.focus(neighbour.key);
    },
  };
}
