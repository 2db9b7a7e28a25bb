import { useApolloClient, useMutation } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { DeleteCourse } from "../course/DeleteCourse";
import { emailProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Section } from "../ui/Section";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
import { CourseTeamDocument, HandOverCourseDocument, LeaveCourseDocument } from "./CourseSettings.generated";
import classes from "./CourseSettings.module.css";

/** The irreversible actions: transferring the course, leaving its team, deleting it. */
export function DangerZone({ course }: { course: Course }) {
  return (
    <>
      {(course.myRole === "OWNER" || course.myRole === "ADMIN") && <HandOver course={course} />}
      {["EDITOR", "REVIEWER", "TEACHER"].includes(course.myRole) && <Leave course={course} />}
      {(course.myRole === "OWNER" || course.myRole === "ADMIN") && <Delete course={course} />}
    </>
  );
}

function HandOver({ course }: { course: Course }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [email, setEmail] = useState<string | null>(null);
  const [handOver] = useMutation(HandOverCourseDocument);
  const form = useGuardedForm({
    name: "hand-over",
    subject: course.id,
    defaultValues: { email: "" },
    confirm: (values) => setEmail(values.email.trim()),
  });
  return (
    <Section title={t("courseSettings.handOver.heading")} text={t("courseSettings.handOver.text")}>
      <form className={classes.form} {...form.props}>
        <TextField
          type="email"
          label={t("courseSettings.handOver.email")}
          autoComplete="off"
          {...form.field("email", emailProblem)}
        />
        <Button type="submit" variant="default" className={classes.start}>
          {t("courseSettings.handOver.ask")}
        </Button>
      </form>
      <ConfirmDialog
        open={email !== null}
        onClose={() => setEmail(null)}
        title={t("courseSettings.handOver.title", { course: course.title })}
        confirm={t("courseSettings.handOver.confirm")}
        typed={course.title}
        danger
        onConfirm={async () => {
          await handOver({ variables: { input: { courseId: course.id, email: email ?? "" } } });
          toastSuccess(t("courseSettings.handOver.done", { email }));
          form.reset();
          await client.refetchQueries({ include: [CourseTeamDocument] });
        }}
      >
        <p>{t("courseSettings.handOver.what", { email })}</p>
      </ConfirmDialog>
    </Section>
  );
}

function Leave({ course }: { course: Course }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [leave] = useMutation(LeaveCourseDocument);
  return (
    <Section title={t("courseSettings.leave.heading")} text={t("courseSettings.leave.text")}>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t("courseSettings.leave.ask")}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t("courseSettings.leave.title", { course: course.title })}
        confirm={t("courseSettings.leave.ask")}
        danger
        onConfirm={async () => {
          await leave({ variables: { input: { courseId: course.id } } });
          toastSuccess(t("courseSettings.leave.done", { course: course.title }));
          await navigate({ to: "/" });
          client.cache.evict({ id: `Course:${course.id}` });
        }}
      >
        <p>{t("courseSettings.leave.what")}</p>
      </ConfirmDialog>
    </Section>
  );
}

function Delete({ course }: { course: Course }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  return (
    <Section title={t("courseSettings.delete.heading")} text={t("courseSettings.delete.text")}>
      <Button variant="default" className={classes.danger} onClick={() => setAsking(true)}>
        {t("courseSettings.delete.ask")}
      </Button>
      {asking && (
        <DeleteCourse
          course={course}
          onClose={() => setAsking(false)}
          onGone={() => void navigate({ to: "/" })}
        />
      )}
    </Section>
  );
}
