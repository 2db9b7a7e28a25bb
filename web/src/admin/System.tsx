import { useMutation, useQuery } from "@apollo/client/react";
import { Button, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/apiError";
import { problems } from "../auth/rules";
import { LoadFailure } from "../errors/LoadFailure";
import { Section } from "../ui/Section";
import { ListSkeleton } from "../ui/Skeletons";
import { failureText, toastFailure, toastSuccess } from "../ui/toasts";
import { AdminCountsDocument, SendTestEmailDocument } from "./Admin.generated";
import classes from "./Admin.module.css";

/** What the server says of itself, and a way to try its mail out. */
export function System({ email }: { email: string }) {
  const { t, i18n } = useTranslation();
  const { data, error, refetch } = useQuery(AdminCountsDocument, { fetchPolicy: "network-only" });
  const number = (value: number) => value.toLocaleString(i18n.language);
  return (
    <>
      <Section title={t("admin.system.heading")} text={t("admin.system.text")}>
        {error && !data && <LoadFailure error={error} retry={() => void refetch()} heading="p" />}
        {!data && !error && <ListSkeleton rows={1} height="3.25rem" />}
        {data && (
          <dl className={classes.facts}>
            <div>
              <dt>{t("admin.system.server")}</dt>
              <dd>{t("admin.system.answers")}</dd>
            </div>
            <div>
              <dt>{t("admin.tabs.users")}</dt>
              <dd>{number(data.users.totalCount)}</dd>
            </div>
            <div>
              <dt>{t("admin.tabs.courses")}</dt>
              <dd>{number(data.allCourses.totalCount)}</dd>
            </div>
          </dl>
        )}
      </Section>
      <Section title={t("admin.mail.heading")} text={t("admin.mail.text")}>
        <TestMail own={email} />
      </Section>
    </>
  );
}

function TestMail({ own }: { own: string }) {
  const { t } = useTranslation();
  const [email, setEmail] = useState(own);
  const [problem, setProblem] = useState<string | null>(null);
  const [send, { loading }] = useMutation(SendTestEmailDocument);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const [found] = problems("email", { email });
    setProblem(found ? t(`auth.errors.${found}`) : null);
    if (found) return;
    try {
      await send({ variables: { input: { email: email.trim() } } });
      toastSuccess(t("admin.mail.sent", { email: email.trim() }));
    } catch (error) {
      toastFailure(error);
      if (ApiError.from(error).status === 422) setProblem(failureText(error));
    }
  };
  return (
    <form className={classes.test} onSubmit={submit} noValidate aria-label={t("admin.mail.heading")}>
      <TextInput
        type="email"
        label={t("admin.mail.to")}
        error={problem}
        value={email}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          setProblem(null);
        }}
        autoComplete="off"
      />
      <Button type="submit" variant="default" className={classes.send} loading={loading}>
        {t("admin.mail.send")}
      </Button>
    </form>
  );
}
