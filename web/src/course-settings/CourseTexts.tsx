import { useMutation } from "@apollo/client/react";
import { useForm } from "react-hook-form";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { TextArea } from "../ui/TextArea";
import { TextField } from "../ui/TextField";
import { failureText, toastFailure, toastSuccess } from "../ui/toasts";
import { ChangeCourseDocument } from "./CourseSettings.generated";
import classes from "./CourseSettings.module.css";
import { descriptionProblem, titleProblem } from "./rules";

/** The form for the title and the description of a course. */
export function CourseTexts({ course }: { course: Course }) {
  const { t } = useTranslation();
  const [change] = useMutation(ChangeCourseDocument);
  const values = { title: course.title, description: course.description ?? "" };
  const { register, handleSubmit, formState, setError } = useForm({
    values,
    resetOptions: { keepDirtyValues: true },
    mode: "onTouched",
  });
  const submit = handleSubmit(async ({ title, description }) => {
    try {
      await change({
        variables: {
          input: { courseId: course.id, title: title.trim(), description: description.trim() || null },
        },
      });
      toastSuccess(t("courseSettings.texts.saved"));
    } catch (error) {
      toastFailure(error);
      setError("root", { message: failureText(error) });
    }
  });
  const said = (problem: ReturnType<typeof titleProblem>) =>
    problem === null || t(`courseSettings.texts.${problem}`);
  const { errors } = formState;
  return (
    <Section title={t("courseSettings.texts.heading")} text={t("courseSettings.texts.text")}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextField
          label={t("courseSettings.texts.title")}
          error={errors.title?.message}
          aria-required
          autoComplete="off"
          {...register("title", { validate: (value) => said(titleProblem(value)) })}
        />
        <TextArea
          label={t("courseSettings.texts.description")}
          description={t("courseSettings.texts.hint")}
          error={errors.description?.message ?? errors.root?.message}
          rows={5}
          {...register("description", { validate: (value) => said(descriptionProblem(value)) })}
        />
        <Button
          type="submit"
          className={classes.start}
          loading={formState.isSubmitting}
          disabled={!formState.isDirty}
        >
          {t("courseSettings.texts.save")}
        </Button>
      </form>
    </Section>
  );
}
