import type { ApolloClient } from "@apollo/client";
import { CourseStateFragmentDoc } from "../reading/MarkPageVisited.generated";

/**
 * Reads the tree of a course again when a lesson was completed, if pages are locked: they may have needed that lesson. The answers of visits and
 * attempts do not contain the tree.
 */
export function refreshLocked(client: ApolloClient, courseId: string): void {
  const course = client.cache.readFragment({
    fragment: CourseStateFragmentDoc,
    id: client.cache.identify({ __typename: "Course", id: courseId }),
  });
  const pages = course?.modules.flatMap(({ lessons }) => lessons.flatMap(({ pages }) => pages)) ?? [];
  if (pages.some(({ timeline }) => timeline.state === "LOCKED"))
    void client.refetchQueries({ include: ["PageCourse"] });
}
