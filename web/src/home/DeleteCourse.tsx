import { useApolloClient } from "@apollo/client/react";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/apiError";
import { hideItems, showItems } from "../outline/hidden";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { toastSuccess } from "../ui/toasts";
import { undoable } from "../ui/undo";
import { DeleteCourseForGoodDocument } from "./Home.generated";

interface Props {
  course: { id: string; title: string; studentsCount: number };
  onClose: () => void;
  /** It is off the screen. */
  onGone?: () => void;
}

/**
 * Deletes a course. What students would lose by it takes the typed title; a course without students goes at once and can
 * be taken back.
 */
export function DeleteCourse({ course, onClose, onGone }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const send = async (leaving: boolean) => {
    try {
      await client.mutate({
        mutation: DeleteCourseForGoodDocument,
        variables: { input: { courseId: course.id } },
        context: { fetchOptions: { keepalive: leaving } },
      });
    } catch (error) {
      // Somebody else was faster.
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
    // Not in the effect itself: development runs those twice.
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
      <p>{t("home.delete.text", { count: course.studentsCount })}</p>
    </ConfirmDialog>
  );
}
