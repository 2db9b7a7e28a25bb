import { useMutation } from "@apollo/client/react";
import { toastSaved } from "../dates/toastSaved";
import { useTranslation } from "../i18n/useTranslation";
import { toastFailure } from "../ui/toasts";
import { MoveStudentsDocument } from "./Groups.generated";
import type { Group } from "./useGroups";

/** A student with the group that they are in. */
export interface Member {
  id: string;
  group: { id: string } | null;
}

/**
 * Moves students to a group, or out of theirs, and says so. Returns whether it was done. «Отменить» moves each back to the group that they were
 * in; `onUndone` is called then.
 */
export function useMove(courseId: string, onUndone: () => void) {
  const { t } = useTranslation();
  const [move] = useMutation(MoveStudentsDocument);
  const send = async (enrollmentIds: readonly string[], groupId: string | null) => {
    const input = { courseId, enrollmentIds: [...enrollmentIds], groupId };
    const { data } = await move({ variables: { input } });
    return data?.moveStudents.moved ?? [];
  };
  return async (members: readonly Member[], group: Group | null): Promise<boolean> => {
    let moved: readonly string[];
    try {
      moved = await send(
        members.map(({ id }) => id),
        group?.id ?? null,
      );
    } catch (error) {
      toastFailure(error);
      return false;
    }
    const count = moved.length;
    const undo = async () => {
      try {
        for (const [from, ids] of byGroup(members.filter(({ id }) => moved.includes(id))))
          await send(ids, from);
      } finally {
        onUndone();
      }
    };
    if (count > 0)
      toastSaved(
        undo,
        group
          ? t("students.groups.movedTo", { count, group: group.title })
          : t("students.groups.movedOut", { count }),
      );
    return true;
  };
}

/** Returns the ids of students by the group that they are in. */
export function byGroup(members: readonly Member[]): Map<string | null, string[]> {
  const groups = new Map<string | null, string[]>();
  for (const { id, group } of members) {
    const at = group?.id ?? null;
    groups.set(at, [...(groups.get(at) ?? []), id]);
  }
  return groups;
}
