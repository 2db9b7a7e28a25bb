import { useMutation } from "@apollo/client/react";
import { conflictError } from "../api/apiError";
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
 * in, unless somebody else has moved them since: they stay, and a toast says so. `onUndone` is called then.
 */
export function useMove(courseId: string, onUndone: () => void) {
  const { t } = useTranslation();
  const [move] = useMutation(MoveStudentsDocument);
  const send = async (enrollmentIds: readonly string[], groupId: string | null, expected?: string | null) => {
    const from = expected === undefined ? {} : { expectedGroupId: expected };
    const input = { courseId, enrollmentIds: [...enrollmentIds], groupId, ...from };
    const { data } = await move({ variables: { input } });
    return data?.moveStudents;
  };
  /** Moves students back unless somebody else has moved them since; returns why the others stay. */
  const moveBack = async (ids: readonly string[], to: string | null, from: string | null) => {
    const refused = (await send(ids, to, from))?.conflict;
    if (!refused) return null;
    const others = new Set(refused.changed.map(({ enrollmentId }) => enrollmentId));
    const left = ids.filter((id) => !others.has(id));
    if (left.length > 0) await send(left, to, from);
    return refused.message;
  };
  return async (members: readonly Member[], group: Group | null): Promise<boolean> => {
    let moved: readonly string[];
    try {
      const result = await send(
        members.map(({ id }) => id),
        group?.id ?? null,
      );
      moved = result?.moved ?? [];
    } catch (error) {
      toastFailure(error);
      return false;
    }
    const count = moved.length;
    const undo = async () => {
      let refusal: string | null = null;
      try {
        for (const [to, ids] of byGroup(members.filter(({ id }) => moved.includes(id))))
          refusal = (await moveBack(ids, to, group?.id ?? null)) ?? refusal;
        if (refusal !== null) throw conflictError(refusal);
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
