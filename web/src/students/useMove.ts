import { useMutation } from "@apollo/client/react";
import { useTranslation } from "../i18n/useTranslation";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { MoveStudentsDocument } from "./Groups.generated";
import type { Group } from "./useGroups";

/** Moves students to a group, or out of theirs, and says so. Returns whether it was done. */
export function useMove(courseId: string) {
  const { t } = useTranslation();
  const [move] = useMutation(MoveStudentsDocument, { onError: toastFailure });
  return async (enrollmentIds: readonly string[], group: Group | null): Promise<boolean> => {
    const input = { courseId, enrollmentIds: [...enrollmentIds], groupId: group?.id ?? null };
    const { data } = await move({ variables: { input } });
    if (!data) return false;
    const count = data.moveStudents.moved.length;
    if (count > 0)
      toastSuccess(
        group
          ? t("students.groups.movedTo", { count, group: group.title })
          : t("students.groups.movedOut", { count }),
      );
    return true;
  };
}
