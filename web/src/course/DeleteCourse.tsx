import { useApolloClient } from "@apollo/client/react";
import { useEffect, useEffectEvent } from "react";
import { ApiError } from "../api/apiError";
import { useTranslation } from "../i18n/useTranslation";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { hideItems, showItems } from "../ui/hiddenItems";
import { toastSuccess } from "../ui/toasts";
import { undoable } from "../ui/undo";
import { DeleteCourseDocument } from "./DeleteCourse.generated";

interface Props {
  course: { id: string; title: string; studentsCount: number };
  onClose: () => void;
  /** Called when the course disappears from the list. */
  onGone?: () => void;
}

/**
 * Deletes a course. When students would lose data, the title must be typed first; a course without students is deleted at
 * once and can be restored.
 */
export function DeleteCourse({ course, onClose, onGone }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const send = async (leaving: boolean) => {
    try {
      await client.mutate({
        mutation: DeleteCourseDocument,
        variables: { input: { courseId: course.id } },
        context: { fetchOptions: { keepalive: leaving } },
      });
    } catch (error) {
      // It was already deleted elsewhere.
      if (ApiError.from(error).status !== 404) throw error;
    }
  };
  const atOnce = useEffectEvent(() => {
    hideItems([course.id]);
    undoable({
      text: t("home.delete.done", { course: course.title }),
      undo: () => showItems([course.id]),
      commit: send,
    });
    onClose();
    onGone?.();
  });
  const asks = course.studentsCount > 0;
  useEffect(() => {
    if (asks) return;
    // Not inside the effect, because React's strict mode runs effects twice in development.
    const timer = setTimeout(atOnce);
    return () => clearTimeout(timer);
  }, [asks]);
  if (!asks) return null;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t("home.delete.title", { course: course.title })}
      confirm={t("home.delete.confirm")}
      typed={course.title}
      danger
      onConfirm={async () => {
        await send(false);
        hideItems([course.id]);
        toastSuccess(t("home.delete.done", { course: course.title }));
        onGone?.();
      }}
    >
      <p>{`${t("home.delete.text", { count: course.studentsCount })} ${t("home.delete.rest")}`}</p>
    </ConfirmDialog>
  );
}
