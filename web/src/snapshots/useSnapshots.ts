import { useQuery } from "@apollo/client/react";
import { useReadAgain } from "../unpublished/useReadAgain";
import { CourseSnapshotsDocument } from "./Snapshots.generated";

/** The snapshots of a course, newest first. */
export function useSnapshots(courseId: string) {
  const { data, previousData, error, refetch } = useQuery(CourseSnapshotsDocument, {
    variables: { courseId },
    fetchPolicy: "cache-and-network",
  });
  useReadAgain(refetch);
  return {
    // Rows stay when they could not be read again.
    snapshots: (data ?? previousData)?.course.snapshots,
    error,
    retry: () => void refetch().catch(() => undefined),
  };
}
