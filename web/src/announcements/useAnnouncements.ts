import { useQuery } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { useMemo, useState } from "react";
import { ApiError } from "../api/apiError";
import { hiddenItems } from "../ui/hiddenItems";
import { toastFailure } from "../ui/toasts";
import { AnnouncementDocument, AnnouncementsDocument } from "./Announcements.generated";
import { type Announcement, ordered } from "./list";

/** The announcements of a course in order, with the one that the address names, however old it is. */
export function useAnnouncements(courseId: string, wanted: string | undefined) {
  const { data, error, refetch, fetchMore } = useQuery(AnnouncementsDocument, {
    variables: { courseId, after: null },
    fetchPolicy: "cache-and-network",
    nextFetchPolicy: "cache-first",
  });
  const hidden = useSelector(hiddenItems);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const list = data?.course.announcements;
  const isMissing = wanted !== undefined && list !== undefined && !list.items.some(({ id }) => id === wanted);
  const apart = useQuery(AnnouncementDocument, { variables: { id: wanted ?? "" }, skip: !isMissing });
  const loose = isMissing ? apart.data?.announcement : undefined;
  const items = useMemo(() => {
    if (!list) return undefined;
    const all: Announcement[] = loose?.courseId === courseId ? [...list.items, loose] : [...list.items];
    return ordered(all.filter(({ id }) => !hidden.has(id)));
  }, [list, loose, hidden, courseId]);

  const next = list?.next ?? null;
  const more = async () => {
    setLoadingMore(true);
    try {
      await fetchMore({
        variables: { after: next },
        updateQuery: ({ course }, { fetchMoreResult }) => {
          const { items } = course.announcements;
          const known = new Set(items.map(({ id }) => id));
          const added = fetchMoreResult.course.announcements;
          const all = [...items, ...added.items.filter(({ id }) => !known.has(id))];
          return { course: { ...course, announcements: { ...added, items: all } } };
        },
      });
    } catch (failure) {
      toastFailure(failure);
    } finally {
      setLoadingMore(false);
    }
  };
  return {
    course: data?.course,
    items,
    canWrite: list?.canWrite ?? false,
    error: list ? undefined : error,
    retry: () => void refetch().catch(() => undefined),
    /** Reads the list again, after one was added. */
    reload: () => refetch().catch(() => undefined),
    hasMore: next !== null,
    isLoadingMore,
    more,
    /** The address names an announcement that does not exist any more. */
    isGone:
      isMissing &&
      ((apart.error !== undefined && ApiError.from(apart.error).status === 404) ||
        (apart.data !== undefined && loose?.courseId !== courseId)),
  };
}
