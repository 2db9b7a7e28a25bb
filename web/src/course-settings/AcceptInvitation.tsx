import { useMutation } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { TextSkeleton } from "../ui/Skeletons";
import { failureText, toastSuccess } from "../ui/toasts";
import classes from "./AcceptInvitation.module.css";
import { AcceptInvitationDocument } from "./CourseSettings.generated";

/** The screen at /accept-invitation: accepts the mailed invitation and opens the course. */
export function AcceptInvitation({ token }: { token: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<string | null>(
    token ? null : t("courseSettings.invitation.noToken"),
  );
  const [accept] = useMutation(AcceptInvitationDocument);
  const asked = useRef(false);
  const take = useEffectEvent(async () => {
    // The link works only once.
    if (!token || asked.current) return;
    asked.current = true;
    try {
      const { data } = await accept({ variables: { input: { token } } });
      const course = data?.acceptInvitation.course;
      if (!course) {
        setRefusal(data?.acceptInvitation.error ?? t("errors.unknown"));
        return;
      }
      toastSuccess(t("courseSettings.invitation.done", { course: course.title }));
      await navigate({ to: "/edit-course/$courseId", params: { courseId: course.id }, replace: true });
    } catch (error) {
      setRefusal(failureText(error));
    }
  });
  useEffect(() => {
    void take();
  }, []);
  return (
    <div className={classes.screen}>
      <title>{`${t("courseSettings.invitation.title")} — Kurso`}</title>
      <h1 className={classes.title}>
        {t(refusal ? "courseSettings.invitation.refused" : "courseSettings.invitation.accepting")}
      </h1>
      {refusal ? (
        <>
          <p role="alert">{refusal}</p>
          <ButtonLink to="/">{t("errors.backHome")}</ButtonLink>
        </>
      ) : (
        <TextSkeleton lines={3} />
      )}
    </div>
  );
}
