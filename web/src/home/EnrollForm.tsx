import { useRouter } from "@tanstack/react-router";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLeaveGuard } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { TextField } from "../ui/TextField";
import classes from "./EnrollForm.module.css";
import { ENROLL_HASH } from "./enrollHash";
import { formatShareCode, shareCodeProblem } from "./shareCode";
import { useEnroll } from "./useEnroll";

/**
 * The form that enrolls the user by a share code and opens the course. With `isLead` its button is the primary action of the screen. It
 * does without react-hook-form, which is as large as the rest of the home screen.
 */
export function EnrollForm({ isLead = false, onUse }: { isLead?: boolean; onUse?: () => void }) {
  const { t } = useTranslation();
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState<ReturnType<typeof shareCodeProblem>>(null);
  const { enroll, loading, refusal, setRefusal } = useEnroll(() => flushSync(() => setValue("")));
  const form = useRef<HTMLFormElement>(null);
  useLeaveGuard({
    name: "share-code",
    element: form,
    isUnsaved: value !== "",
    discard: () => flushSync(() => setValue("")),
    values: () => ({ value }),
    restore: (kept) => {
      onUse?.();
      setValue(String(kept.value));
    },
  });
  const router = useRouter();
  useEffect(() => {
    const focus = () => {
      if (router.state.location.hash === ENROLL_HASH) form.current?.querySelector("input")?.focus();
    };
    focus();
    return router.subscribe("onResolved", focus);
  }, [router]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = shareCodeProblem(value);
    setProblem(found);
    setRefusal(null);
    if (found === null) enroll(value);
  };
  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={submit}
      onFocus={onUse}
      aria-label={t("home.enroll.title")}
      noValidate
    >
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
        variant={value || isLead ? "filled" : "default"}
        className={classes.button}
      >
        {t("home.enroll.submit")}
      </Button>
    </form>
  );
}
