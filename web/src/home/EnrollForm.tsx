import { type SubmitEvent, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { TextField } from "../ui/TextField";
import classes from "./EnrollForm.module.css";
import { formatShareCode, shareCodeProblem } from "./shareCode";
import { useEnroll } from "./useEnroll";

/** The form that enrolls the user by a share code and opens the course. */
export function EnrollForm() {
  const { t } = useTranslation();
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState<ReturnType<typeof shareCodeProblem>>(null);
  const { enroll, loading, refusal, setRefusal } = useEnroll();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = shareCodeProblem(value);
    setProblem(found);
    setRefusal(null);
    if (found === null) enroll(value);
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
