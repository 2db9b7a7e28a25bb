import { useMutation } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { EnrollDocument } from "./Enroll.generated";

/** Enrolls the user by a share code and opens the course. `refusal` is the server's reason against the code. `onDone` is called before the course opens. */
export function useEnroll(onDone: () => void = () => {}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [enroll, { loading }] = useMutation(EnrollDocument, {
    // The home screen's list is stale now; it is fetched again when it is next shown.
    update: (cache, { data }) => {
      if (data?.enroll.enrollment) cache.evict({ id: "ROOT_QUERY", fieldName: "myEnrollments" });
    },
    onCompleted: ({ enroll: { enrollment, error } }) => {
      setRefusal(error ?? null);
      if (!enrollment) return;
      onDone();
      const { groupTitle: group, course } = enrollment;
      toastSuccess(
        group
          ? t("home.enroll.doneInGroup", { course: course.title, group })
          : t("home.enroll.done", { course: course.title }),
      );
      void navigate({ to: "/view-course/$courseId", params: { courseId: enrollment.course.id } });
    },
    onError: toastFailure,
  });
  return {
    enroll: (shareCode: string) => void enroll({ variables: { input: { shareCode } } }),
    loading,
    refusal,
    setRefusal,
  };
}
