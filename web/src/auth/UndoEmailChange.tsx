import { useApolloClient, useMutation } from "@apollo/client/react";
import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/apiError";
import { signedIn } from "../api/session";
import { addWords } from "../i18n";
import { recovery } from "../i18n/ru/recovery";
import { MeDocument } from "../shell/Me.generated";
import { ButtonLink } from "../ui/links";
import { failureText, toastFailure, toastSuccess } from "../ui/toasts";
import classes from "./forms.module.css";
import { UndoEmailChangeDocument } from "./Recovery.generated";
import { Said } from "./Said";

addWords({ recovery });

/**
 * The screen of /undo-email-change, by the link of a mail, for whoever is signed in and whoever is not. It waits for a
 * press: what only looks at the links of mails must not use them up.
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
      // An address that is another's by now; or no answer.
      else setRefusal(failureText(error));
      if (status !== 422 && status !== 409) toastFailure(error);
      return;
    }
    if (await stillSignedIn()) return setOutcome("done");
    toastSuccess(t("recovery.undo.doneText"));
    await navigate({ to: "/recover-password", search: {} });
  };
  /** The session may be one of those that have just ended; being refused, it ends here too. */
  const stillSignedIn = async () => {
    if (!signedIn()) return true;
    await client.query({ query: MeDocument, fetchPolicy: "network-only" }).catch(() => undefined);
    return signedIn();
  };
  if (outcome === "done") {
    return (
      <Said
        title={t("recovery.undo.done")}
        actions={
          <ButtonLink to="/recover-password" search={{}} size="md">
            {t("recovery.undo.newPassword")}
          </ButtonLink>
        }
      >
        <p className={classes.text} role="status">
          {t("recovery.undo.doneText")}
        </p>
      </Said>
    );
  }
  if (outcome === "dead" || !token) {
    return (
      <Said
        title={t("recovery.undo.dead")}
        actions={
          <ButtonLink to="/login" search={{}} size="md">
            {t("recovery.undo.toLogin")}
          </ButtonLink>
        }
      >
        <p className={classes.text}>
          {t(outcome === "dead" ? "recovery.undo.deadText" : "recovery.undo.partial")}
        </p>
      </Said>
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
