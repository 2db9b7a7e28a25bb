import { useQuery } from "@apollo/client/react";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { LoadFailure } from "../errors/LoadFailure";
import { when } from "../i18n/when";
import { Pages } from "../ui/Pages";
import { PER_PAGE } from "../ui/pageNumber";
import { Row, Rows } from "../ui/Rows";
import { ListSkeleton } from "../ui/Skeletons";
import { type AdminAudit_EntryFragment, AdminAuditDocument } from "./Admin.generated";
import classes from "./Admin.module.css";
import { auditFilter, auditVariables } from "./auditFilter";
import { AUDIT_KINDS } from "./auditKinds";
import type { AuditFilter } from "./tabs";
import { useNumbered } from "./useNumbered";

interface Props {
  page: number;
  filter: AuditFilter;
}

/** The audit log: what was done that matters for security or cannot be undone, the newest first. */
export function Audit({ page, filter }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data, previousData, error, refetch, loading } = useQuery(AdminAuditDocument, {
    variables: { ...auditVariables(filter), skip: (page - 1) * PER_PAGE },
    fetchPolicy: "cache-and-network",
  });
  const log = (data ?? previousData)?.auditLog;
  const pages = useNumbered(page, loading ? undefined : data?.auditLog.totalCount);
  const isFiltered = Object.keys(auditFilter({ ...filter })).length > 0;
  // What is changed leads to the first page; an empty value is left out.
  const show = (changed: Record<string, string>) =>
    void navigate({
      to: "/admin",
      search: { tab: "audit", ...auditFilter({ ...filter, ...changed }) },
      resetScroll: false,
    });
  return (
    <section aria-label={t("admin.tabs.audit")}>
      <div className={classes.look}>
        <NativeSelect
          label={t("admin.audit.kind")}
          value={filter.kind ?? ""}
          onChange={(event) => show({ kind: event.currentTarget.value })}
          data={[
            { value: "", label: t("admin.audit.all") },
            ...AUDIT_KINDS.map((value) => ({ value, label: t(`admin.audit.kinds.${value}`) })),
          ]}
        />
        {(["from", "to"] as const).map((end) => (
          <TextInput
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
          <Button variant="subtle" size="compact-sm" onClick={() => show({ person: "" })}>
            {t("admin.audit.everybody")}
          </Button>
        </p>
      )}
      {error && !log && <LoadFailure error={error} retry={() => void refetch()} heading="h2" />}
      {!log && !error && <ListSkeleton rows={8} height="3.75rem" />}
      {log && (
        <p className={log.totalCount === 0 ? classes.none : classes.count} role="status">
          {log.totalCount === 0
            ? t(`admin.audit.${isFiltered ? "noneSuch" : "none"}`)
            : t("admin.audit.count", { count: log.totalCount })}
        </p>
      )}
      {log && log.nodes.length > 0 && (
        <Rows label={t("admin.audit.heading")} busy={data === undefined}>
          {log.nodes.map((entry) => (
            <EntryRow key={entry.id} entry={entry} filter={filter} />
          ))}
        </Rows>
      )}
      {log && <Pages label={t("admin.audit.pages")} shown={Math.min(page, pages)} pages={pages} />}
    </section>
  );
}

/** The words of the server that say more of an act. */
const WORDS = {
  editor: "editor",
  teacher: "teacher",
  invitation: "invitation",
  active: "active",
  inactive: "inactive",
  superuser: "superuser",
  "no superuser": "noSuperuser",
} as const;

/** What a number, or a version, beside an act stands for. */
const COUNTED = {
  SERVER_STARTED: "version",
  COURSE_DELETED: "students",
  ATTEMPTS_RESET: "attempts",
} as const;

function isCounted(kind: string): kind is keyof typeof COUNTED {
  return Object.hasOwn(COUNTED, kind);
}

function isWord(text: string): text is keyof typeof WORDS {
  return Object.hasOwn(WORDS, text);
}

/** What a person is called, as the entries shown say. */
function nameOf(person: string, entries: readonly AdminAudit_EntryFragment[] | undefined) {
  const named = entries?.flatMap((entry) => [entry.actor, entry.person]);
  return named?.find((one) => one?.id === person)?.name;
}

function EntryRow({ entry, filter }: { entry: AdminAudit_EntryFragment; filter: AuditFilter }) {
  const { t, i18n } = useTranslation();
  const { kind, actor, person, course, detail } = entry;
  const name = (named: { name: string | null }) => named.name ?? t("admin.audit.gone");
  /** Leads to all that this person did, and that was done to them. */
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
          <span>{when(entry.at, new Date(), i18n.language, t)}</span>
          {actor && <span>{of("actor", actor)}</span>}
          {/* Who failed to sign in is not known: it was not the server. */}
          {!actor && kind !== "SIGN_IN_FAILED" && (
            <span>{t("admin.audit.actor", { name: t("admin.audit.server") })}</span>
          )}
          {person && person.id !== actor?.id && <span>{of("person", person)}</span>}
          {course && <span>{t("admin.audit.course", { name: name(course) })}</span>}
          {detail?.split(", ").map((one) => (
            <span key={one}>
              {isWord(one)
                ? t(`admin.audit.details.${WORDS[one]}`)
                : isCounted(kind)
                  ? t(`admin.audit.details.${COUNTED[kind]}`, { detail: one })
                  : one}
            </span>
          ))}
        </>
      }
    />
  );
}
