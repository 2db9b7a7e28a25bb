import { i18n } from "../../i18n";
import { dismissToast } from "../../ui/toasts";
import { offerUndo } from "../../ui/undo";
import { entryTitle } from "../titles";
import { type Kind, type Position, positionBeside, positionInNeighbour } from "../tree";
import { entryOf, type OutlineContext } from "./context";
import type { SelectionActions } from "./selectionActions";
import type { ViewActions } from "./viewActions";

export function moveActions(context: OutlineContext, view: ViewActions, selection: SelectionActions) {
  const { edits, tree } = context;
  /** Undo each move of this screen, last one last. */
  const undos: (() => void)[] = [];
  let lastToast = 0;

  const titleOf = (id: string) => {
    const entry = entryOf(context, id);
    return entry ? entryTitle(entry, i18n.t) : "";
  };
  const announcePosition = (ids: readonly string[], kind: Kind) => {
    const entry = entryOf(context, ids[0]);
    if (!entry) return;
    const parent = entryOf(context, entry.parentId);
    const where =
      parent === undefined
        ? i18n.t("outline.inCourse")
        : i18n.t(parent.kind === "module" ? "outline.inModule" : "outline.inLesson", {
            title: titleOf(entry.parentId),
          });
    const what = i18n.t(`outline.moved.${kind}`, { count: ids.length, title: titleOf(entry.item.id) });
    const total = entry.siblings.length;
    view.announce(i18n.t("outline.nowAt", { what, where, number: entry.index + 1, total }));
  };

  const undoMove = () => undos.pop()?.();
  /** Moves items of one kind. `quiet` shows no toast: the opposite key or Ctrl+Z undoes a single step. */
  const move = (ids: readonly string[], position: Position, { quiet = false } = {}) => {
    const first = entryOf(context, ids[0]);
    if (!first) return;
    const title = titleOf(first.item.id);
    const undo = edits.move(ids, position);
    if (!undo) return;
    view.setOpen([position.parentId], true);
    undos.push(undo);
    announcePosition(ids, first.kind);
    if (quiet) return;
    dismissToast(lastToast);
    lastToast = offerUndo(i18n.t(`outline.moved.${first.kind}`, { count: ids.length, title }), undoMove);
  };
  return {
    move,
    /** Moves an item, or the selection it is part of, one step up or down; `far`: into the neighbouring parent. */
    step: (id: string, direction: -1 | 1, far = false) => {
      const ids = selection.idsWith(id);
      const position = far
        ? positionInNeighbour(tree(), ids, direction)
        : positionBeside(tree(), ids, direction);
      if (!position) {
        view.announce(i18n.t("outline.atTheEnd"));
        return;
      }
      move(ids, position, { quiet: true });
      view.focus(id);
    },
    undoMove,
    canUndo: () => undos.length > 0,
    /** Moves of items that are being deleted cannot be undone. */
    forgetMoves: () => {
      undos.length = 0;
    },
  };
}

export type MoveActions = ReturnType<typeof moveActions>;
