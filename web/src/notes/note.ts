import type { NoteColor } from "../api/schema.generated";
import type { NotePartsFragment } from "./Notes.generated";

export type Note = NotePartsFragment;

export const COLORS: readonly NoteColor[] = ["YELLOW", "GREEN", "BLUE", "PINK"];

/** The most characters of a note and of its words. */
export const MAX_BODY = 5000;
export const MAX_QUOTE = 1000;

/** The words that a new note is about; null for the whole page. */
export interface NewPlace {
  block: number;
  start: number;
  quote: string;
  version: number;
}

/** The name of the highlight of a color, in highlights.css. */
export const highlightOf = (color: NoteColor) => `note-${color.toLowerCase()}`;
