import type { KeyboardEvent } from "react";
import { isItem, type Row } from "./rows";
import { allOf, ranged } from "./selection";
import type { OutlineState } from "./useOutline";

/** What a key means on a row that has the focus. Answers whether it meant something. */
export function outlineKey(
  event: KeyboardEvent,
  key: string,
  outline: OutlineState,
  editable: boolean,
): boolean {
  const { rows, actions } = outline;
  const at = rows.findIndex((row) => row.key === key);
  const row = rows[at];
  if (!row) return false;
  return moves(event, row, at, outline) || (editable && changes(event, row, at, outline, actions));
}

function moves(event: KeyboardEvent, row: Row, at: number, outline: OutlineState): boolean {
  if (event.altKey || event.shiftKey || event.ctrlKey || event.metaKey) return false;
  const { rows, focus, setOpen } = outline;
  const go = (index: number) => {
    const to = rows[index];
    if (to) focus(to.key);
    return true;
  };
  switch (event.key) {
    case "ArrowDown":
      return go(at + 1);
    case "ArrowUp":
      return go(at - 1);
    case "Home":
      return go(0);
    case "End":
      return go(rows.length - 1);
    case "PageDown":
      return go(Math.min(rows.length - 1, at + 10));
    case "PageUp":
      return go(Math.max(0, at - 10));
    case "ArrowRight":
      if (row.kind !== "module" && row.kind !== "lesson") return true;
      if (row.expanded) return go(at + 1);
      setOpen([row.id], true);
      return true;
    case "ArrowLeft":
      if ((row.kind === "module" || row.kind === "lesson") && row.expanded) setOpen([row.id], false);
      else go(rows.findIndex((one) => one.key === row.parentId));
      return true;
    default:
      return false;
  }
}

function changes(
  event: KeyboardEvent,
  row: Row,
  at: number,
  outline: OutlineState,
  actions: OutlineState["actions"],
): boolean {
  const { rows, selection, setSelection } = outline;
  const control = event.ctrlKey || event.metaKey;
  // By the key's place, so that it works on a Russian keyboard as on an English one.
  if (control && !event.shiftKey && event.code === "KeyZ") {
    if (!outline.canUndo()) return false;
    outline.undoMove();
    return true;
  }
  if (event.key === "Escape" && selection) {
    setSelection(null);
    return true;
  }
  if (row.kind === "add") {
    if (event.key !== "Enter" && event.key !== "+") return false;
    actions.add(row.adds, { parentId: row.parentId, before: null });
    return true;
  }
  if (!isItem(row)) return false;
  const vertical = { ArrowUp: -1, ArrowDown: 1 }[event.key] as -1 | 1 | undefined;
  if (vertical && event.altKey) {
    outline.step(row.id, vertical, event.shiftKey);
    return true;
  }
  if (vertical && event.shiftKey) {
    let to = at + vertical;
    while (rows[to] && rows[to]?.kind !== row.kind) to += vertical;
    const next = rows[to];
    if (next) {
      setSelection(ranged(selection?.ids.has(row.id) ? selection : null, rows, row.id, next.key));
      outline.focus(next.key);
    }
    return true;
  }
  if (control && event.code === "KeyA") {
    const all = allOf(rows, row.kind, row.id);
    setSelection(all);
    return true;
  }
  switch (event.key) {
    case "Enter":
      if (control) outline.draftBelow(row.id);
      else if (row.kind === "page") outline.open(row.id);
      else actions.edit(row.id);
      return true;
    case "F2":
      actions.edit(row.id);
      return true;
    case " ":
      actions.select(row.id, "toggle");
      return true;
    case "+":
    case "Insert":
      if (row.kind === "page") outline.draftBelow(row.id);
      else actions.addInside(row.id);
      return true;
    case "Delete":
    case "Backspace":
      outline.remove(outline.idsWith(row.id));
      return true;
    default:
      return false;
  }
}
