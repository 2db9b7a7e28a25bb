import { useMutation } from "@apollo/client/react";
import { descriptionProblem, titleProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { TextArea } from "../ui/TextArea";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
import { ChangeCourseDocument } from "./CourseSettings.generated";
import classes from "./CourseSettings.module.css";

/** The form for the title and the description of a course. */
export function CourseTexts({ course }: { course: Course }) {
  const { t } = useTranslation();
  const [change] = useMutation(ChangeCourseDocument);
  const form = useGuardedForm({
    name: "course-texts",
    mode: "onTouched",
    subject: course.id,
    values: { title: course.title, description: course.description ?? "" },
    save: ({ title, description }) => {
      const input = { courseId: course.id, title: title.trim(), description: description.trim() || null };
      return change({ variables: { input } });
    },
    refusalAt: "description",
    onSaved: () => toastSuccess(t("courseSettings.texts.saved")),
  });
  return (
    <Section title={t("courseSettings.texts.heading")} text={t("courseSettings.texts.text")}>
      <form className={classes.form} {...form.props}>
        <TextField
          label={t("courseSettings.texts.title")}
          aria-required
          autoComplete="off"
          {...form.field("title", titleProblem)}
        />
        <TextArea
          label={t("courseSettings.texts.description")}
          description={t("courseSettings.texts.hint")}
          rows={5}
          {...form.field("description", descriptionProblem)}
        />
        <Button type="submit" className={classes.start} loading={form.isBusy} disabled={!form.isDirty}>
          {t("courseSettings.texts.save")}
        </Button>
      </form>
    </Section>
  );
}
