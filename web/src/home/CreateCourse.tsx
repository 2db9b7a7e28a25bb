import { useMutation } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { titleProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextField } from "../ui/TextField";
import { CreateCourseDocument } from "./CreateCourse.generated";

/** The dialog that creates a course with a title and opens it. */
export default function CreateCourse({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const formId = useId();
  const [create] = useMutation(CreateCourseDocument);
  const form = useGuardedForm({
    name: "create-course",
    defaultValues: { title: "" },
    save: ({ title }) => create({ variables: { input: { title: title.trim() } } }),
    refusalAt: "title",
    isOnce: true,
    onSaved: ({ data }) => {
      const courseId = data?.createCourse.course.id;
      return courseId && navigate({ to: "/edit-course/$courseId", params: { courseId } });
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("home.create.title")}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" form={formId} loading={form.isBusy}>
            {t("forms.course.submit")}
          </Button>
        </>
      }
    >
      <form id={formId} {...form.props}>
        <TextField
          label={t("forms.course.label")}
          placeholder={t("forms.course.placeholder")}
          autoComplete="off"
          aria-required
          data-autofocus
          {...form.field("title", titleProblem)}
        />
      </form>
    </Dialog>
  );
}
