import { useQuery, useSubscription } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useMemo } from "react";
import { onReconnect } from "../api/live";
import { GroupsChangedDocument } from "../students/Groups.generated";
import { hiddenItems } from "../ui/hiddenItems";
import { CourseOverridesDocument } from "./Overrides.generated";

/** All overrides of a course, without those that wait to be deleted; undefined until they have arrived. Follows the changes by others. */
export function useOverrides(courseId: string) {
  const { data, error, refetch, fetchMore } = useQuery(CourseOverridesDocument, {
    variables: { courseId },
    fetchPolicy: "cache-and-network",
  });
  const reload = () => void refetch().catch(() => undefined);
  useSubscription(GroupsChangedDocument, { variables: { courseId }, onData: reload });
  useEffect(() => onReconnect(() => void refetch().catch(() => undefined)), [refetch]);
  const { hasNextPage, endCursor } = data?.overrides.pageInfo ?? {};
  useEffect(() => {
    if (!hasNextPage) return;
    void fetchMore({
      variables: { after: endCursor },
      updateQuery: (before, { fetchMoreResult: { overrides } }) => ({
        overrides: { ...overrides, nodes: [...before.overrides.nodes, ...overrides.nodes] },
      }),
    }).catch(() => undefined);
  }, [hasNextPage, endCursor, fetchMore]);
  const hidden = useSelector(hiddenItems);
  const all = data?.overrides.nodes;
  const overrides = useMemo(() => all?.filter(({ id }) => !hidden.has(id)), [all, hidden]);
  return { overrides, error, reload };
}
