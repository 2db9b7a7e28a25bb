import type { PaletteSearchQuery } from "./PaletteSearch.generated";

export type Found = PaletteSearchQuery["search"]["nodes"][number];

/** Returns the address of a search result: the editor for authors, the reading screen for other users. */
export function destination({
  kind,
  courseId,
  pageId,
  myRole,
}: Pick<Found, "kind" | "courseId" | "pageId" | "myRole">): string {
  // Reviewers read the text that the authors work on.
  const writes = myRole === "OWNER" || myRole === "EDITOR" || myRole === "REVIEWER";
  const staff = myRole !== "LEARNER";
  if (kind === "COURSE" || !pageId) return staff ? `/edit-course/${courseId}` : `/view-course/${courseId}`;
  return writes ? `/edit-page/${pageId}` : `/view-page/${pageId}`;
}
