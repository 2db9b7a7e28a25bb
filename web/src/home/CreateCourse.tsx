import { useMutation } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { type SubmitEvent, useId, useState } from "react";
import { titleProblem } from "../course-settings/rules";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextField } from "../ui/TextField";
import { failureText, toastFailure } from "../ui/toasts";
import { CreateCourseDocument } from "./Home.generated";

/** The dialog that creates a course with a title and opens it. */
export function CreateCourse({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const formId = useId();
  const [title, setTitle] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [create, { loading }] = useMutation(CreateCourseDocument);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const found = titleProblem(title);
    setProblem(found && t(`courseSettings.texts.${found}`));
    if (found) return;
    try {
      const { data } = await create({ variables: { input: { title: title.trim() } } });
      const courseId = data?.createCourse.course.id;
      if (courseId) await navigate({ to: "/edit-course/$courseId", params: { courseId } });
    } catch (error) {
      setProblem(failureText(error));
      toastFailure(error);
    }
  };
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
          <Button type="submit" form={formId} loading={loading}>
            {t("home.create.submit")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <TextField
          label={t("home.create.label")}
          placeholder={t("home.create.placeholder")}
          error={problem}
          value={title}
          onChange={(event) => {
            setTitle(event.currentTarget.value);
            setProblem(null);
          }}
          autoComplete="off"
          aria-required
          data-autofocus
        />
      </form>
    </Dialog>
  );
}
