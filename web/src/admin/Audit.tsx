import { useQuery } from "@apollo/client/react";
import { Link, useNavigate } from "@tanstack/react-router";
import { formatDateTime } from "../i18n/formatDateTime";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { PER_PAGE } from "../ui/pageNumber";
import { Row } from "../ui/Rows";
import { Select } from "../ui/Select";
import { TextField } from "../ui/TextField";
import { type AdminAudit_EntryFragment, AdminAuditDocument } from "./Admin.generated";
import classes from "./Admin.module.css";
import { AdminList } from "./AdminList";
import { auditFilter } from "./auditFilter";
import { AUDIT_KINDS } from "./auditKinds";
import { auditVariables } from "./auditVariables";
import type { AuditFilter } from "./tabs";
import { useLastPageRedirect } from "./useLastPageRedirect";

interface Props {
  page: number;
  filter: AuditFilter;
}

/** The audit log: security-relevant and irreversible actions, newest first. */
export function Audit({ page, filter }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data, previousData, error, refetch, loading } = useQuery(AdminAuditDocument, {
    variables: { ...auditVariables(filter), skip: (page - 1) * PER_PAGE },
    fetchPolicy: "cache-and-network",
  });
  const log = (data ?? previousData)?.auditLog;
  const pages = useLastPageRedirect(page, loading ? undefined : data?.auditLog.totalCount);
  const isFiltered = Object.keys(auditFilter({ ...filter })).length > 0;
  // A changed filter returns to the first page; empty values are left out of the address.
  const show = (changed: Record<string, string>) =>
    void navigate({
      to: "/admin",
      search: { tab: "audit", ...auditFilter({ ...filter, ...changed }) },
      resetScroll: false,
    });
  return (
    <section aria-label={t("admin.tabs.audit")}>
      <div className={classes.look}>
        <Select
          label={t("admin.audit.kind")}
          value={filter.kind ?? ""}
          onChange={(event) => show({ kind: event.currentTarget.value })}
          options={[
            { value: "", label: t("admin.audit.all") },
            ...AUDIT_KINDS.map((value) => ({ value, label: t(`admin.audit.kinds.${value}`) })),
          ]}
        />
        {(["from", "to"] as const).map((end) => (
          <TextField
            key={end}
            type="date"
            className={classes.date}
            label={t(`admin.audit.${end}`)}
            value={filter[end] ?? ""}
            onChange={(event) => show({ [end]: event.currentTarget.value })}
          />
        ))}
      </div>
      {filter.person && (
        <p className={classes.only}>
          {t("admin.audit.only", { name: nameOf(filter.person, log?.nodes) ?? t("admin.audit.gone") })}
          <Button variant="subtle" size="compact" onClick={() => show({ person: "" })}>
            {t("admin.audit.everybody")}
          </Button>
        </p>
      )}
      <AdminList
        label={t("admin.audit.heading")}
        pagesLabel={t("admin.audit.pages")}
        error={error}
        refetch={refetch}
        total={log?.totalCount}
        summary={(count) =>
          count === 0
            ? t(`admin.audit.${isFiltered ? "noneSuch" : "none"}`)
            : t("admin.audit.count", { count })
        }
        busy={data === undefined}
        rows={log?.nodes.map((entry) => <EntryRow key={entry.id} entry={entry} filter={filter} />) ?? []}
        page={page}
        pages={pages}
      />
    </section>
  );
}

/** The texts for the details that the server attaches to an entry. */
const DETAIL_KEYS = {
  editor: "editor",
  teacher: "teacher",
  reviewer: "reviewer",
  invitation: "invitation",
  active: "active",
  inactive: "inactive",
  superuser: "superuser",
  "no superuser": "noSuperuser",
} as const;

/** The text for a number or a version that the server attaches to an entry. */
const NUMBER_KEYS = {
  SERVER_STARTED: "version",
  COURSE_DELETED: "students",
  ATTEMPTS_RESET: "attempts",
} as const;

function hasNumber(kind: string): kind is keyof typeof NUMBER_KEYS {
  return Object.hasOwn(NUMBER_KEYS, kind);
}

function isDetail(text: string): text is keyof typeof DETAIL_KEYS {
  return Object.hasOwn(DETAIL_KEYS, text);
}

/** The name of a person, taken from the entries shown. */
function nameOf(person: string, entries: readonly AdminAudit_EntryFragment[] | undefined) {
  const named = entries?.flatMap((entry) => [entry.actor, entry.person]);
  return named?.find((one) => one?.id === person)?.name;
}

function EntryRow({ entry, filter }: { entry: AdminAudit_EntryFragment; filter: AuditFilter }) {
  const { t, i18n } = useTranslation();
  const { kind, actor, person, course, page, detail } = entry;
  const name = (named: { name: string | null }) => named.name ?? t("admin.audit.gone");
  /** Links to all entries that involve this person, as actor or as target. */
  const of = (who: "actor" | "person", named: { id: string; name: string | null }) => (
    <Link
      to="/admin"
      search={{ tab: "audit", ...auditFilter({ ...filter, person: named.id }) }}
      resetScroll={false}
    >
      {t(`admin.audit.${who}`, { name: name(named) })}
    </Link>
  );
  return (
    <Row
      name={entry.text}
      facts={
        <>
          <span>{formatDateTime(entry.at, new Date(), i18n.language, t)}</span>
          {actor && <span>{of("actor", actor)}</span>}
          {/* Who failed to sign in is not known: it was not the server. */}
          {!actor && kind !== "SIGN_IN_FAILED" && (
            <span>{t("admin.audit.actor", { name: t("admin.audit.server") })}</span>
          )}
          {person && person.id !== actor?.id && <span>{of("person", person)}</span>}
          {course && <span>{t("admin.audit.course", { name: name(course) })}</span>}
          {page && <span>{t("admin.audit.quiz", { name: name(page) })}</span>}
          {detail?.split(", ").map((one) => (
            <span key={one}>
              {isDetail(one)
                ? t(`admin.audit.details.${DETAIL_KEYS[one]}`)
                : hasNumber(kind)
                  ? t(`admin.audit.details.${NUMBER_KEYS[kind]}`, { detail: one })
                  : one}
            </span>
          ))}
        </>
      }
    />
  );
}
