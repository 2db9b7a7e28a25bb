import { withTexts } from "../i18n";

/** Loads the notes of a course. */
export async function loadScreen() {
  const { NotesScreen } = await withTexts(import("./NotesScreen"), "notes");
  return { Screen: NotesScreen };
}
