import { useMutation, useQuery } from "@apollo/client/react";
import type { TFunction } from "i18next";
import { type SubmitEvent, useState } from "react";
import { ApiError } from "../api/apiError";
import { problems } from "../auth/rules";
import { QueryState } from "../errors/QueryState";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { ListSkeleton } from "../ui/Skeletons";
import { TextField } from "../ui/TextField";
import { failureText, toastFailure, toastSuccess } from "../ui/toasts";
import { AdminCountsDocument, type AdminCountsQuery, SendTestEmailDocument } from "./Admin.generated";
import classes from "./Admin.module.css";

/** The state and metrics of the server, and a form that sends a test mail. */
export function System({ email }: { email: string }) {
  const { t, i18n } = useTranslation();
  const { data, error, refetch } = useQuery(AdminCountsDocument, { fetchPolicy: "network-only" });
  const number = (value: number) => value.toLocaleString(i18n.language);
  return (
    <>
      <Section title={t("admin.system.heading")} text={t("admin.system.text")}>
        {!data && (
          <QueryState
            error={error}
            retry={() => void refetch()}
            heading="p"
            loading={<ListSkeleton rows={1} height="3.25rem" />}
          />
        )}
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
            {figures(data.serverStatus, t, i18n.language).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Section>
      <Section title={t("admin.mail.heading")} text={t("admin.mail.text")}>
        <TestMail own={email} />
      </Section>
    </>
  );
}

type Status = AdminCountsQuery["serverStatus"];

/** The metrics of the node since its start, formatted for display. */
function figures(status: Status, t: TFunction, language: string): [string, string][] {
  const number = (value: number) => value.toLocaleString(language);
  const millis = (value: number) =>
    t("admin.system.millis", { value: value.toLocaleString(language, { maximumFractionDigits: 1 }) });
  const { connections: open, connectionsInUse: used } = status;
  return [
    [t("admin.system.version"), status.version],
    [t("admin.system.database"), status.database === "sqlite" ? "SQLite" : "PostgreSQL"],
    [t("admin.system.since"), formatDateTime(status.startedAt, new Date(), language, t)],
    [t("admin.system.requests"), number(status.requests)],
    [t("admin.system.requestTime"), millis(status.requestMillis)],
    [t("admin.system.faults"), number(status.faults)],
    [t("admin.system.statements"), number(status.statements)],
    [t("admin.system.statementTime"), millis(status.statementMillis)],
    [t("admin.system.connections"), t("admin.system.connectionsValue", { used, open })],
    [t("admin.system.waiting"), number(status.waiting)],
    [t("admin.system.subscriptions"), number(status.subscriptions)],
    [t("admin.system.logins"), number(status.logins)],
    [t("admin.system.loginsFailed"), number(status.loginsFailed)],
    [t("admin.system.uploads"), number(status.uploads)],
    [t("admin.system.mailsSent"), number(status.mailsSent)],
    [t("admin.system.mailsFailed"), number(status.mailsFailed)],
    ...(status.memory === null
      ? []
      : [
          [
            t("admin.system.memory"),
            t("admin.system.megabytes", { value: number(Math.round(status.memory / 1_048_576)) }),
          ] satisfies [string, string],
        ]),
  ];
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
      <TextField
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
