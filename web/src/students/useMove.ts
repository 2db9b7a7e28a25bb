import { useMutation } from "@apollo/client/react";
import { conflictError } from "../api/apiError";
import type { MoveStudentsInput } from "../api/schema.generated";
import { toastSaved } from "../dates/toastSaved";
import { useTranslation } from "../i18n/useTranslation";
import { failureText, toastFailure } from "../ui/toasts";
import { MoveStudentsDocument } from "./Groups.generated";
import { listOf } from "./names";
import type { Group } from "./useGroups";

/** A student with the group that the list shows. */
export interface Member {
  id: string;
  name: string;
  group: { id: string } | null;
}

/**
 * Moves students to a group, or out of theirs, and says so. Returns whether it was done. Nobody is moved if the list is out of date: a toast
 * names those whom somebody else has moved. «Отменить» moves each back to the group that they were in. Those whom somebody else has moved since, and those
 * whose move fails, stay, and a toast names them. `onOutdated` is called when the list may be out of date.
 */
export function useMove(courseId: string, onOutdated: () => void) {
  const { t, i18n } = useTranslation();
  const [move] = useMutation(MoveStudentsDocument);
  const send = async (input: Omit<MoveStudentsInput, "courseId">) => {
    const { data } = await move({ variables: { input: { courseId, ...input } } });
    const result = data?.moveStudents;
    return {
      moved: new Set(result?.moved),
      elsewhere: new Set(result?.conflict?.changed.map(({ enrollmentId }) => enrollmentId)),
    };
  };
  const named = (members: readonly Member[]) =>
    listOf(
      members.map(({ name }) => name),
      t,
      i18n.language,
    );

  /** Moves students back whom nobody else has moved since; returns the others. */
  const moveBack = async (members: readonly Member[], from: string | null): Promise<readonly Member[]> => {
    const back = (some: readonly Member[]) =>
      send({
        enrollmentIds: some.map(({ id }) => id),
        groupId: some[0]?.group?.id ?? null,
        expectedGroupId: from,
      });
    const { elsewhere } = await back(members);
    if (elsewhere.size === 0) return [];
    const left = members.filter(({ id }) => !elsewhere.has(id));
    const stay = members.filter(({ id }) => elsewhere.has(id));
    return left.length === 0 ? stay : [...stay, ...(await moveBack(left, from))];
  };

  /** Moves each student back, whatever happens to the others. Rejects if somebody stays. */
  const undo = async (members: readonly Member[], from: string | null) => {
    const stay: Member[] = [];
    const problems: string[] = [];
    for (const some of byGroup(members)) {
      try {
        stay.push(...(await moveBack(some, from)));
      } catch (error) {
        const reason = failureText(error);
        problems.push(t("students.groups.notMovedBack", { names: named(some), reason }));
      }
    }
    onOutdated();
    if (stay.length > 0) problems.unshift(t("students.groups.stayed", { names: named(stay) }));
    if (problems.length > 0) throw conflictError(problems.join(" "));
  };

  return async (members: readonly Member[], group: Group | null): Promise<boolean> => {
    let moved: readonly Member[];
    try {
      const { moved: ids, elsewhere } = await send({
        enrollmentIds: members.map(({ id }) => id),
        groupId: group?.id ?? null,
        expectedGroups: members.map(({ id, group }) => ({ enrollmentId: id, groupId: group?.id ?? null })),
      });
      if (elsewhere.size > 0) {
        const names = named(members.filter(({ id }) => elsewhere.has(id)));
        onOutdated();
        throw conflictError(t("students.groups.movedMeanwhile", { names }));
      }
      moved = members.filter(({ id }) => ids.has(id));
    } catch (error) {
      toastFailure(error);
      return false;
    }
    const count = moved.length;
    if (count > 0)
      toastSaved(
        () => undo(moved, group?.id ?? null),
        group
          ? t("students.groups.movedTo", { count, group: group.title })
          : t("students.groups.movedOut", { count }),
      );
    return true;
  };
}

/** Returns the students of each group that they are in. */
export function byGroup(members: readonly Member[]): Member[][] {
  const groups = new Map<string | null, Member[]>();
  for (const member of members) {
    const at = member.group?.id ?? null;
    groups.set(at, [...(groups.get(at) ?? []), member]);
  }
  return [...groups.values()];
}
