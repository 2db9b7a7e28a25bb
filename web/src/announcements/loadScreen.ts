import { withTexts } from "../i18n";

/** Loads the list of announcements. */
export async function loadScreen() {
  const { AnnouncementsScreen } = await withTexts(import("./AnnouncementsScreen"), "learning");
  return { Screen: AnnouncementsScreen };
}
