import { useQuery } from "@apollo/client/react";
import { useId, useState } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { PageButtons } from "../ui/PageButtons";
import { RadioGroup } from "../ui/RadioGroup";
import { ListSkeleton } from "../ui/Skeletons";
import { type ImportJob_JobFragment, ImportReportDocument } from "./Imports.generated";
import classes from "./Imports.module.css";
import { ReportLines } from "./ReportLines";
import { useReadAgain } from "./useReadAgain";

/** Lines per page, the same as in the query. */
const PART = 50;

const OUTCOMES = ["NOT_CARRIED", "CHANGED", "CARRIED"] as const;
type Shown = "ALL" | (typeof OUTCOMES)[number];

/** The report of what the import changed or left out, page by page. */
export function ReportPart({
  job,
  found,
}: {
  job: Pick<ImportJob_JobFragment, "id" | "state">;
  found: NonNullable<ImportJob_JobFragment["found"]>;
}) {
  const { t } = useTranslation();
  const id = useId();
  const counts = { CARRIED: found.carried, CHANGED: found.changed, NOT_CARRIED: found.notCarried };
  const all = found.carried + found.changed + found.notCarried;
  const [shown, setShown] = useState<Shown>("ALL");
  const [skip, setSkip] = useState(0);
  const { data, previousData, error, refetch } = useQuery(ImportReportDocument, {
    variables: { jobId: job.id, outcome: shown === "ALL" ? null : shown, skip },
    fetchPolicy: "no-cache",
    skip: all === 0,
  });
  useReadAgain(job.state, refetch, all > 0);
  const report = (data ?? previousData)?.importPreview.report;
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h2 className={classes.heading} id={id}>
        {t("imports.report.heading")}
      </h2>
      {all === 0 ? (
        <p className={classes.dim}>{t("imports.report.nothing")}</p>
      ) : (
        <>
          <RadioGroup<Shown>
            label={t("imports.report.show")}
            value={shown}
            options={[
              { value: "ALL", label: t("imports.report.all", { count: all }) },
              ...OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => ({
                value: outcome,
                label: t(`imports.report.${outcome}`, { count: counts[outcome] }),
              })),
            ]}
            onChange={(value) => {
              setShown(value);
              setSkip(0);
            }}
          />
          {!report && (
            <QueryState
              error={error}
              retry={() => void refetch()}
              loading={<ListSkeleton rows={4} height="3.75rem" />}
            />
          )}
          {report && <ReportLines lines={report.nodes} busy={data === undefined} />}
          {report && (
            <PageButtons
              label={t("imports.report.pages")}
              page={skip / PART + 1}
              pages={Math.ceil(report.totalCount / PART)}
              onPage={(page) => setSkip((page - 1) * PART)}
            />
          )}
        </>
      )}
    </section>
  );
}
