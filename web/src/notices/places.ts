import { linkOptions } from "@tanstack/react-router";
import { elementId } from "../announcements/list";
import type { Row } from "./grouping";

/** The URL of the screen to which a row links; for several notices, that of the newest. */
export function placeOf({ notices }: Row) {
  const [{ kind, course, page, subjectId }] = notices;
  if (kind === "ANNOUNCEMENT" && course)
    return linkOptions({
      to: "/view-course/$courseId/announcements",
      params: { courseId: course.id },
      search: {},
      hash: elementId(subjectId),
    });
  if (kind === "IMPORT_DONE") return linkOptions({ to: "/import", search: { job: subjectId } });
  if (kind === "MENTION" || kind === "COMMENT") {
    if (page)
      return linkOptions({
        to: "/edit-page/$pageId",
        params: { pageId: page.id },
        search: { thread: subjectId },
      });
  } else if (kind === "COURSE_COMPLETED") {
    if (course)
      return linkOptions({
        to: "/edit-course/$courseId",
        params: { courseId: course.id },
        search: { tab: "students", ...(notices.length === 1 && { student: subjectId }) },
      });
  } else if (kind !== "INVITED") {
    // The subject is a question or an answer; the page finds its discussion.
    if (page && (kind === "ANSWERED" || kind === "ASKED" || kind === "REPORTED"))
      return linkOptions({
        to: "/view-page/$pageId",
        params: { pageId: page.id },
        search: { question: subjectId },
      });
    if (page) return linkOptions({ to: "/view-page/$pageId", params: { pageId: page.id } });
    if (course) return linkOptions({ to: "/view-course/$courseId", params: { courseId: course.id } });
  }
  // Only the mail has the link that accepts an invitation.
  return linkOptions({ to: "/" });
}
