import type { KeyboardEvent } from "react";
import { isItem, type Row } from "./rows";
import { allOf, ranged } from "./selection";
import type { Outline } from "./useOutline";

/** Handles a key on the focused row. Returns whether the key has a meaning there. */
export function outlineKey(event: KeyboardEvent, key: string, outline: Outline, editable: boolean): boolean {
  const { rows } = outline;
  const at = rows.findIndex((row) => row.key === key);
  const row = rows[at];
  if (!row) return false;
  return navigates(event, row, at, outline) || (editable && edits(event, row, at, outline));
}

function navigates(event: KeyboardEvent, row: Row, at: number, { rows, actions }: Outline): boolean {
  if (event.altKey || event.shiftKey || event.ctrlKey || event.metaKey) return false;
  const go = (index: number) => {
    const to = rows[index];
    if (to) actions.focus(to.key);
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
      actions.setOpen([row.id], true);
      return true;
    case "ArrowLeft":
      if ((row.kind === "module" || row.kind === "lesson") && row.expanded) actions.setOpen([row.id], false);
      else go(rows.findIndex((one) => one.key === row.parentId));
      return true;
    default:
      return false;
  }
}

function edits(event: KeyboardEvent, row: Row, at: number, { rows, state, actions }: Outline): boolean {
  const { selection } = state;
  const control = event.ctrlKey || event.metaKey;
  // `code` names the physical key, which is the same in Russian and English layouts.
  if (control && !event.shiftKey && event.code === "KeyZ") {
    if (!actions.canUndo()) return false;
    actions.undoMove();
    return true;
  }
  if (event.key === "Escape" && selection) {
    actions.setSelection(null);
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
    actions.step(row.id, vertical, event.shiftKey);
    return true;
  }
  if (vertical && event.shiftKey) {
    let to = at + vertical;
    while (rows[to] && rows[to]?.kind !== row.kind) to += vertical;
    const next = rows[to];
    if (next) {
      actions.setSelection(ranged(selection?.ids.has(row.id) ? selection : null, rows, row.id, next.key));
      actions.focus(next.key);
    }
    return true;
  }
  if (control && event.code === "KeyA") {
    const all = allOf(rows, row.kind, row.id);
    actions.setSelection(all);
    return true;
  }
  switch (event.key) {
    case "Enter":
      if (control) actions.addBelow(row.id);
      else if (row.kind === "page") actions.open(row.id);
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
      if (row.kind === "page") actions.addBelow(row.id);
      else actions.addInside(row.id);
      return true;
    case "Delete":
    case "Backspace":
      actions.remove(actions.idsWith(row.id));
      return true;
    default:
      return false;
  }
}
