import { useQuery } from "@apollo/client/react";
import type { TFunction } from "i18next";
import { useId } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Tag } from "../ui/Rows";
import { ListSkeleton } from "../ui/Skeletons";
import { AffectedLearners } from "../unpublished/AffectedLearners";
import { DateChanges } from "./DateChanges";
import { ImportChangesDocument, type ImportChangesQuery } from "./Imports.generated";
import classes from "./Imports.module.css";

type Changes = NonNullable<ImportChangesQuery["importPreview"]["changes"]>;
type Kind = Changes["pages"][number]["change"];

/** Kinds of changes in display order; unchanged pages are collapsed. */
const TOLD: readonly Kind[] = ["GOES", "CHANGED", "NEW"];

/** The changes that an update would make, page by page. */
export function useChanges(jobId: string, skip: boolean) {
  return useQuery(ImportChangesDocument, { variables: { jobId }, fetchPolicy: "no-cache", skip });
}

export function UpdatePart({ query }: { query: ReturnType<typeof useChanges> }) {
  const { t } = useTranslation();
  const id = useId();
  const { data, error, refetch } = query;
  const changes = data?.importPreview.changes;
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h2 className={classes.heading} id={id}>
        {t("imports.changes.heading")}
      </h2>
      {!changes && (
        <QueryState
          error={error}
          retry={() => void refetch()}
          loading={<ListSkeleton rows={3} height="3.75rem" />}
        />
      )}
      {changes && <Shown changes={changes} />}
    </section>
  );
}

function Shown({ changes }: { changes: Changes }) {
  const { t } = useTranslation();
  const counts = { STAYS: changes.stays, CHANGED: changes.changed, NEW: changes.new, GOES: changes.goes };
  const staying = changes.pages.filter(({ change }) => change === "STAYS");
  const foreign = changes.goes > 0 && changes.stays + changes.changed === 0;
  return (
    <>
      <ul className={classes.kinds}>
        {([...TOLD, "STAYS"] as const).map((kind) => (
          <li key={kind}>{t(`imports.changes.${kind}`, { count: counts[kind] })}</li>
        ))}
      </ul>
      {foreign && <p className={classes.warning}>{t("imports.changes.foreign")}</p>}
      {changes.visits + changes.attempts > 0 && (
        <p className={classes.warning}>{t("imports.changes.lost", { what: lostText(changes, t) })}</p>
      )}
      {TOLD.some((kind) => counts[kind] > 0) && (
        <ul className={classes.report}>
          {changes.pages
            .filter(({ change }) => change !== "STAYS")
            .map((page, index) => (
              <Page key={page.pageId ?? `new ${index}`} page={page} />
            ))}
        </ul>
      )}
      <DateChanges dates={changes.dates} omitted={changes.omittedDates} />
      {changes.affectedLearners > 0 && (
        <AffectedLearners learners={changes.learners} affected={changes.affectedLearners} />
      )}
      {staying.length > 0 && (
        <details className={classes.module}>
          <summary>
            <span className={classes.moduleTitle}>{t("imports.changes.staying")}</span>
            <span className={classes.dim}>{t("imports.counts.pages", { count: staying.length })}</span>
          </summary>
          <ul className={classes.lessons}>
            {staying.map((page) => (
              <li key={page.pageId}>
                <PageName page={page} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {changes.omitted > 0 && (
        <p className={classes.dim}>{t("imports.omitted", { count: changes.omitted })}</p>
      )}
    </>
  );
}

type Page = Changes["pages"][number];

function Page({ page }: { page: Page }) {
  const { t } = useTranslation();
  return (
    <li className={classes.line}>
      <p className={classes.name}>
        <PageName page={page} />
        <Tag warn={page.change === "GOES"} quiet={page.change === "CHANGED"}>
          {t(`imports.change.${page.change}`)}
        </Tag>
      </p>
      <p className={classes.dim}>
        {page.module} › {page.lesson}
      </p>
      {page.visits + page.attempts > 0 && (
        <p className={classes.failure}>{t("imports.changes.lostHere", { what: lostText(page, t) })}</p>
      )}
    </li>
  );
}

function PageName({ page }: { page: Page }) {
  const { t } = useTranslation();
  return <>{page.title ?? t("imports.pageNumber", { number: page.number })}</>;
}

/** Returns «12 посещений и 3 попытки», or only the part that is not zero. */
export function lostText(of: { visits: number; attempts: number }, t: TFunction) {
  const visits = t("imports.changes.visits", { count: of.visits });
  const attempts = t("imports.changes.attempts", { count: of.attempts });
  if (of.attempts === 0) return visits;
  return of.visits === 0 ? attempts : t("imports.changes.both", { visits, attempts });
}
