import { useApolloClient, useMutation } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { toastSuccess } from "../ui/toasts";
import { LeaveCourseAsLearnerDocument } from "./LeaveCourse.generated";
import classes from "./LeaveCourse.module.css";

interface Props {
  course: { id: string; title: string; progress: { pagesDone: number } };
}

/** The button with which a learner leaves a course. It asks for confirmation, because visits and attempts are deleted. */
export function LeaveCourse({ course }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [leave] = useMutation(LeaveCourseAsLearnerDocument);
  const done = course.progress.pagesDone;
  return (
    <section className={classes.leave} aria-label={t("learning.leave.ask")}>
      <button type="button" className={classes.button} onClick={() => setAsking(true)}>
        {t("learning.leave.ask")}
      </button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t("learning.leave.title", { course: course.title })}
        confirm={t("learning.leave.confirm")}
        danger
        onConfirm={async () => {
          await leave({ variables: { input: { courseId: course.id } } });
          toastSuccess(t("learning.leave.done", { course: course.title }));
          await navigate({ to: "/" });
          client.cache.evict({ id: `Course:${course.id}` });
        }}
      >
        <p>{done > 0 ? t("learning.leave.keeps", { count: done }) : t("learning.leave.keepsAttempts")}</p>
        <p>{t("learning.leave.back")}</p>
      </ConfirmDialog>
    </section>
  );
}
