import { useQuery, useSubscription } from "@apollo/client/react";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useMemo } from "react";
import { onReconnect } from "../api/live";
import type { Course } from "../outline/EditCourse";
import { hiddenItems } from "../ui/hiddenItems";
import { type CourseGroupFragment, CourseGroupsDocument, GroupsChangedDocument } from "./Groups.generated";

export type Group = CourseGroupFragment;

/** The value of the search parameter `group` for students without a group, and the server's name of it. */
export const WITHOUT = "none";

/** Whether the user makes groups and moves students: the owner and teachers. */
export const mayGroup = ({ myRole }: Course): boolean => myRole === "OWNER" || myRole === "TEACHER";

/** The groups of a course in order, without those that wait to be deleted. `onChange` is called after each change by others. */
export function useGroups(courseId: string, onChange: () => void) {
  const { data, error, refetch } = useQuery(CourseGroupsDocument, {
    variables: { id: courseId },
    fetchPolicy: "cache-and-network",
  });
  // The event holds the new groups, which the cache takes over.
  useSubscription(GroupsChangedDocument, { variables: { courseId }, onData: onChange });
  useEffect(
    () =>
      onReconnect(() => {
        void refetch().catch(() => undefined);
        onChange();
      }),
    [refetch, onChange],
  );
  const hidden = useSelector(hiddenItems);
  const all = data?.course.groups;
  const groups = useMemo(() => all?.filter(({ id }) => !hidden.has(id)), [all, hidden]);
  return { groups, error, reload: () => void refetch() };
}

/** The filter of the address; none for a group that is gone. */
export function knownGroup(group: string | undefined, groups: readonly Group[] | undefined) {
  if (group === undefined || group === WITHOUT || !groups) return group;
  return groups.some(({ id }) => id === group) ? group : undefined;
}
