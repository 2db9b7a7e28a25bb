import { useQuery } from "@apollo/client/react";
import { useEffect, useState } from "react";
import { useReadAgain } from "../unpublished/useReadAgain";
import { CourseSnapshotsDocument, type CourseSnapshotsQuery } from "./Snapshots.generated";

/** The snapshots of a course, newest first. More of them follow while `isWhole` is false. */
export function useSnapshots(courseId: string) {
  const latest = useQuery(CourseSnapshotsDocument, {
    variables: { courseId },
    fetchPolicy: "cache-and-network",
  });
  const { error, refetch, fetchMore } = latest;
  // Rows stay when they could not be read again.
  const list = (latest.data ?? latest.previousData)?.course.snapshots;
  const [failure, setFailure] = useState<unknown>();
  const read = async () => {
    setFailure(undefined);
    await refetch();
  };
  useReadAgain(read);
  const { hasNextPage, endCursor } = latest.data?.course.snapshots.pageInfo ?? {};
  useEffect(() => {
    if (!hasNextPage || failure) return;
    void fetchMore({
      variables: { after: endCursor },
      updateQuery: (before, { fetchMoreResult }) => withPage(before, fetchMoreResult, endCursor),
    }).catch(setFailure);
  }, [hasNextPage, endCursor, failure, fetchMore]);
  return {
    snapshots: list?.nodes,
    isWhole: list !== undefined && !list.pageInfo.hasNextPage,
    error: error ?? failure,
    retry: () => void read().catch(() => undefined),
  };
}

/** Returns the list with the page after a cursor. Another user of the list may have appended that page already. */
export function withPage(
  before: CourseSnapshotsQuery,
  { course: { snapshots: page } }: CourseSnapshotsQuery,
  after: string | null | undefined,
): CourseSnapshotsQuery {
  const { course } = before;
  if (course.snapshots.pageInfo.endCursor !== after) return before;
  return {
    ...before,
    course: { ...course, snapshots: { ...page, nodes: [...course.snapshots.nodes, ...page.nodes] } },
  };
}
