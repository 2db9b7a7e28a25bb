import { useMutation } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { TextField } from "../ui/TextField";
import { toastFailure, toastSuccess } from "../ui/toasts";
import { EnrollDocument } from "./Enroll.generated";
import classes from "./EnrollForm.module.css";
import { formatShareCode, shareCodeProblem } from "./shareCode";

/** The form that enrolls the user by a share code and opens the course. */
export function EnrollForm({ code = "" }: { code: string | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [value, setValue] = useState(() => formatShareCode(code));
  const [problem, setProblem] = useState<ReturnType<typeof shareCodeProblem>>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [enroll, { loading }] = useMutation(EnrollDocument, {
    // The home screen's list is stale now; it is fetched again when it is next shown.
    update: (cache, { data }) => {
      if (data?.enroll.enrollment) cache.evict({ id: "ROOT_QUERY", fieldName: "myEnrollments" });
    },
    onCompleted: ({ enroll: { enrollment, error } }) => {
      setRefusal(error ?? null);
      if (!enrollment) return;
      toastSuccess(t("home.enroll.done", { course: enrollment.course.title }));
      void navigate({ to: "/view-course/$courseId", params: { courseId: enrollment.course.id } });
    },
    onError: toastFailure,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = shareCodeProblem(value);
    setProblem(found);
    setRefusal(null);
    if (found === null) void enroll({ variables: { input: { shareCode: value } } });
  };
  return (
    <form className={classes.form} onSubmit={submit} aria-label={t("home.enroll.title")} noValidate>
      <TextField
        className={classes.field}
        inputClassName={classes.input}
        label={t("home.enroll.label")}
        placeholder="XXXX-XXXX"
        error={refusal ?? (problem && t(`home.enroll.${problem}`))}
        description={refusal || problem ? undefined : t("home.enroll.hint")}
        descriptionBelow
        value={value}
        onChange={(event) => {
          setValue(formatShareCode(event.currentTarget.value));
          setProblem(null);
          setRefusal(null);
        }}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <Button
        type="submit"
        loading={loading}
        variant={value ? "filled" : "default"}
        className={classes.button}
      >
        {t("home.enroll.submit")}
      </Button>
    </form>
  );
}
