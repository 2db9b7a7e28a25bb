import { useMutation, useQuery } from "@apollo/client/react";
import type { TFunction } from "i18next";
import { QueryState } from "../errors/QueryState";
import { emailProblem } from "../forms/rules";
import { useGuardedForm } from "../forms/useGuardedForm";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Section } from "../ui/Section";
import { ListSkeleton } from "../ui/Skeletons";
import { TextField } from "../ui/TextField";
import { toastSuccess } from "../ui/toasts";
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
  const [send] = useMutation(SendTestEmailDocument);
  const form = useGuardedForm({
    name: "test-mail",
    defaultValues: { email: own },
    save: ({ email }) => send({ variables: { input: { email: email.trim() } } }),
    refusalAt: "email",
    onSaved: (_, { email }) => toastSuccess(t("admin.mail.sent", { email: email.trim() })),
  });
  return (
    <form className={classes.test} {...form.props} aria-label={t("admin.mail.heading")}>
      <TextField
        type="email"
        label={t("admin.mail.to")}
        autoComplete="off"
        {...form.field("email", emailProblem)}
      />
      <Button type="submit" variant="default" className={classes.send} loading={form.isBusy}>
        {t("admin.mail.send")}
      </Button>
    </form>
  );
}
