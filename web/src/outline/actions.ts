import type { MenuItem } from "../ui/Menu";
import type { ItemRow, NewKind } from "./rows";
import type { Place } from "./tree";

/** What a row can ask of the outline. One object for its whole life, so that rows are drawn again only for what they show. */
export interface Actions {
  toggle: (id: string) => void;
  select: (id: string, how: "toggle" | "range") => void;
  edit: (id: string) => void;
  rename: (id: string, title: string, by: "enter" | "blur") => void;
  stopEditing: (id: string, by: "escape" | "blur") => void;
  publish: (ids: readonly string[], published: boolean) => void;
  add: (kind: NewKind, place: Place) => void;
  addInside: (id: string) => void;
  /** What the draft begins with: what was typed before the server refused it. */
  draftText: () => string;
  saveDraft: (title: string, by: "enter" | "blur") => void;
  cancelDraft: (by: "escape" | "blur") => void;
  /** A level down into what is above it, or up and out. */
  shiftDraft: (direction: 1 | -1) => void;
  openModule: (id: string) => void;
  menu: (row: ItemRow) => readonly MenuItem[];
}
