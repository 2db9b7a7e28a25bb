import { useApolloClient, useMutation } from "@apollo/client/react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import { signedIn } from "../api/session";
import { useTranslation } from "../i18n/useTranslation";
import { MeDocument } from "../shell/Me.generated";
import { Button, ButtonLink } from "../ui/Button";
import { failureText, toastFailure, toastSuccess } from "../ui/toasts";
import { FormOutcome } from "./FormOutcome";
import classes from "./forms.module.css";
import { UndoEmailChangeDocument } from "./Recovery.generated";

/**
 * The screen at /undo-email-change, opened by the link in a mail, with or without a session. It requires a click, because
 * mail scanners that fetch the link must not use it up.
 */
export function UndoEmailChange({ token }: { token: string }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<"done" | "dead" | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [undo, { loading }] = useMutation(UndoEmailChangeDocument);
  const submit = async () => {
    setRefusal(null);
    try {
      await undo({ variables: { input: { token } } });
    } catch (error) {
      const { status } = ApiError.from(error);
      if (status === 422) setOutcome("dead");
      // The old address now belongs to another account, or there is no response.
      else setRefusal(failureText(error));
      if (status !== 422 && status !== 409) toastFailure(error);
      return;
    }
    if (await stillSignedIn()) return setOutcome("done");
    toastSuccess(t("recovery.undo.doneText"));
    await navigate({ to: "/recover-password" });
  };
  /** Undoing ends all sessions. A rejected request also removes the token of this browser. */
  const stillSignedIn = async () => {
    if (!signedIn()) return true;
    await client.query({ query: MeDocument, fetchPolicy: "network-only" }).catch(() => undefined);
    return signedIn();
  };
  if (outcome === "done") {
    return (
      <FormOutcome
        title={t("recovery.undo.done")}
        actions={
          <ButtonLink to="/recover-password" size="md">
            {t("recovery.undo.newPassword")}
          </ButtonLink>
        }
      >
        <p className={classes.text} role="status">
          {t("recovery.undo.doneText")}
        </p>
      </FormOutcome>
    );
  }
  if (outcome === "dead" || !token) {
    return (
      <FormOutcome
        title={t("recovery.undo.dead")}
        actions={
          <ButtonLink to="/login" size="md">
            {t("recovery.undo.toLogin")}
          </ButtonLink>
        }
      >
        <p className={classes.text}>
          {t(outcome === "dead" ? "recovery.undo.deadText" : "recovery.undo.partial")}
        </p>
      </FormOutcome>
    );
  }
  return (
    <div className={classes.form}>
      <title>{`${t("recovery.undo.title")} — Kurso`}</title>
      <h1 className={classes.title}>{t("recovery.undo.title")}</h1>
      <p className={classes.lead}>{t("recovery.undo.lead")}</p>
      {refusal !== null && (
        <p className={classes.refusal} role="alert">
          {refusal}
        </p>
      )}
      <Button size="md" fullWidth loading={loading} onClick={() => void submit()}>
        {t("recovery.undo.submit")}
      </Button>
      <p className={classes.quiet}>{t("recovery.undo.keep")}</p>
    </div>
  );
}
