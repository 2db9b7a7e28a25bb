import { useQuery, useSubscription } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useMemo, useState } from "react";
import { onReconnect } from "../api/live";
import { GroupsChangedDocument } from "../students/Groups.generated";
import { hiddenItems } from "../ui/hiddenItems";
import { CourseOverridesDocument, type CourseOverridesQuery } from "./Overrides.generated";

/**
 * All overrides of a course, without those that wait to be deleted; undefined until all pages have arrived. Follows the changes by others:
 * while they arrive, the earlier list stays.
 */
export function useOverrides(courseId: string) {
  const { data, error, refetch, fetchMore } = useQuery(CourseOverridesDocument, {
    variables: { courseId },
    fetchPolicy: "cache-and-network",
  });
  const [failure, setFailure] = useState<unknown>();
  const reload = () => {
    setFailure(undefined);
    void refetch().catch(() => undefined);
  };
  useSubscription(GroupsChangedDocument, { variables: { courseId }, onData: reload });
  useEffect(
    () =>
      onReconnect(() => {
        setFailure(undefined);
        void refetch().catch(() => undefined);
      }),
    [refetch],
  );
  const { hasNextPage, endCursor } = data?.overrides.pageInfo ?? {};
  useEffect(() => {
    if (!hasNextPage || failure) return;
    void fetchMore({
      variables: { after: endCursor },
      updateQuery: (before, { fetchMoreResult }) => withPage(before, fetchMoreResult, endCursor),
    }).catch(setFailure);
  }, [hasNextPage, endCursor, failure, fetchMore]);
  const arrived = data && !hasNextPage ? data.overrides.nodes : undefined;
  const [whole, setWhole] = useState({ courseId, nodes: arrived });
  if (whole.courseId !== courseId || (arrived && arrived !== whole.nodes))
    setWhole({ courseId, nodes: arrived });
  const all = arrived ?? (whole.courseId === courseId ? whole.nodes : undefined);
  const hidden = useSelector(hiddenItems);
  const overrides = useMemo(() => all?.filter(({ id }) => !hidden.has(id)), [all, hidden]);
  return { overrides, error: error ?? failure, reload };
}

/** Returns the list with the page after a cursor. Another user of the list may have appended that page already. */
export function withPage(
  before: CourseOverridesQuery,
  { overrides: page }: CourseOverridesQuery,
  after: string | null | undefined,
): CourseOverridesQuery {
  if (before.overrides.pageInfo.endCursor !== after) return before;
  return { overrides: { ...page, nodes: [...before.overrides.nodes, ...page.nodes] } };
}
