import { useQuery } from "@apollo/client/react";
import { NativeSelect } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { LoadFailure } from "../errors/LoadFailure";
import { when } from "../i18n/when";
import { Pages } from "../ui/Pages";
import { PER_PAGE } from "../ui/pageNumber";
import { Row, Rows } from "../ui/Rows";
import { ListSkeleton } from "../ui/Skeletons";
import { type AdminAudit_EntryFragment, AdminAuditDocument } from "./Admin.generated";
import classes from "./Admin.module.css";
import { AUDIT_KINDS, type AuditKind, isAuditKind } from "./auditKinds";
import { useNumbered } from "./useNumbered";

interface Props {
  page: number;
  kind: AuditKind | undefined;
}

/** The audit log: what was done that matters for security or cannot be undone, the newest first. */
export function Audit({ page, kind }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data, previousData, error, refetch, loading } = useQuery(AdminAuditDocument, {
    variables: { kind: kind ?? null, skip: (page - 1) * PER_PAGE },
    fetchPolicy: "cache-and-network",
  });
  const log = (data ?? previousData)?.auditLog;
  const pages = useNumbered(page, loading ? undefined : data?.auditLog.totalCount);
  return (
    <section aria-label={t("admin.tabs.audit")}>
      <div className={classes.look}>
        <NativeSelect
          label={t("admin.audit.kind")}
          value={kind ?? ""}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            void navigate({
              to: "/admin",
              search: { tab: "audit", ...(isAuditKind(chosen) && { kind: chosen }) },
              resetScroll: false,
            });
          }}
          data={[
            { value: "", label: t("admin.audit.all") },
            ...AUDIT_KINDS.map((value) => ({ value, label: t(`admin.audit.kinds.${value}`) })),
          ]}
        />
      </div>
      {error && !log && <LoadFailure error={error} retry={() => void refetch()} heading="h2" />}
      {!log && !error && <ListSkeleton rows={8} height="3.75rem" />}
      {log && (
        <p className={log.totalCount === 0 ? classes.none : classes.count} role="status">
          {log.totalCount === 0 ? t("admin.audit.none") : t("admin.audit.count", { count: log.totalCount })}
        </p>
      )}
      {log && log.nodes.length > 0 && (
        <Rows label={t("admin.audit.heading")} busy={data === undefined}>
          {log.nodes.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </Rows>
      )}
      {log && <Pages label={t("admin.audit.pages")} shown={Math.min(page, pages)} pages={pages} />}
    </section>
  );
}

/** The words of the server that say more of an act; what is none of them is a number. */
const WORDS = {
  editor: "editor",
  teacher: "teacher",
  invitation: "invitation",
  active: "active",
  inactive: "inactive",
  superuser: "superuser",
  "no superuser": "noSuperuser",
} as const;

function isWord(text: string): text is keyof typeof WORDS {
  return Object.hasOwn(WORDS, text);
}

function EntryRow({ entry }: { entry: AdminAudit_EntryFragment }) {
  const { t, i18n } = useTranslation();
  const { actor, person, course, detail } = entry;
  const name = (named: { name: string | null }) => named.name ?? t("admin.audit.gone");
  return (
    <Row
      name={entry.text}
      facts={
        <>
          <span>{when(entry.at, new Date(), i18n.language, t)}</span>
          <span>{t("admin.audit.actor", { name: actor ? name(actor) : t("admin.audit.server") })}</span>
          {person && person.id !== actor?.id && (
            <span>{t("admin.audit.person", { name: name(person) })}</span>
          )}
          {course && <span>{t("admin.audit.course", { name: name(course) })}</span>}
          {detail?.split(", ").map((one) => (
            <span key={one}>
              {isWord(one)
                ? t(`admin.audit.details.${WORDS[one]}`)
                : t("admin.audit.details.other", { detail: one })}
            </span>
          ))}
        </>
      }
    />
  );
}
