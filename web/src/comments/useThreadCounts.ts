import { useQuery } from "@apollo/client/react";
import { createContext, useMemo } from "react";
import { useReadAgain } from "../unpublished/useReadAgain";
import { ThreadCountsDocument } from "./ThreadCounts.generated";

const NONE: ReadonlyMap<string, number> = new Map();

/** The result of `useThreadCounts`, for the rows of an outline. */
export const ThreadCounts = createContext<{ counts: typeof NONE; isReviewed: boolean }>({
  counts: NONE,
  isReviewed: false,
});

/** The numbers of open threads by page, for pages that have any. `isReviewed`: the user opens pages to comment on them. */
export function useThreadCounts(courseId: string, isReviewed: boolean) {
  const { data, previousData, refetch } = useQuery(ThreadCountsDocument, {
    variables: { courseId },
    skip: !isReviewed,
    fetchPolicy: "cache-and-network",
  });
  useReadAgain(async () => isReviewed && (await refetch()));
  // The numbers stay when they could not be read again.
  const modules = (data ?? previousData)?.course.modules;
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const { lessons } of modules ?? [])
      for (const { pages } of lessons)
        for (const { id, openThreadCount } of pages) if (openThreadCount > 0) counts.set(id, openThreadCount);
    return { counts: counts.size > 0 ? counts : NONE, isReviewed };
  }, [modules, isReviewed]);
}
