import { useQuery } from "@apollo/client/react";
import { Button } from "@mantine/core";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { LoadFailure } from "../errors/LoadFailure";
import { Choice } from "../ui/Choice";
import { Tag } from "../ui/Rows";
import { ListSkeleton } from "../ui/Skeletons";
import { type ImportJob_JobFragment, ImportReportDocument } from "./Imports.generated";
import classes from "./Imports.module.css";

/** Lines shown at once, as the query asks for them. */
const PART = 50;

const OUTCOMES = ["NOT_CARRIED", "CHANGED", "CARRIED"] as const;
type Shown = "ALL" | (typeof OUTCOMES)[number];

/** What is to be said of what was read: however long it is, a part of it at a time. */
export function ReportPart({
  jobId,
  found,
}: {
  jobId: string;
  found: NonNullable<ImportJob_JobFragment["found"]>;
}) {
  const { t } = useTranslation();
  const id = useId();
  const counts = { CARRIED: found.carried, CHANGED: found.changed, NOT_CARRIED: found.notCarried };
  const all = found.carried + found.changed + found.notCarried;
  const [shown, setShown] = useState<Shown>("ALL");
  const [skip, setSkip] = useState(0);
  const { data, previousData, error, refetch } = useQuery(ImportReportDocument, {
    variables: { jobId, outcome: shown === "ALL" ? null : shown, skip },
    fetchPolicy: "no-cache",
    skip: all === 0,
  });
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
          <Choice<Shown>
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
          {error && !report && <LoadFailure error={error} retry={() => void refetch()} />}
          {!report && !error && <ListSkeleton rows={4} height="3.75rem" />}
          {report && (
            <ol className={classes.report} aria-busy={data === undefined || undefined}>
              {report.nodes.map((line, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is told from another by its place alone.
                <li key={skip + n} className={classes.line}>
                  <p className={classes.name}>
                    {sentence(line.what)}
                    <Tag warn={line.outcome === "NOT_CARRIED"} quiet={line.outcome === "CHANGED"}>
                      {t(`imports.outcome.${line.outcome}`)}
                    </Tag>
                  </p>
                  <p className={classes.why}>{sentence(line.why)}</p>
                  <p className={classes.place}>{line.where}</p>
                </li>
              ))}
            </ol>
          )}
          {report && report.totalCount > PART && (
            <nav className={classes.tools} aria-label={t("imports.report.pages")}>
              <Button variant="default" disabled={skip === 0} onClick={() => setSkip(skip - PART)}>
                {t("ui.previousPage")}
              </Button>
              <span className={classes.dim}>
                {t("ui.pageOf", { page: skip / PART + 1, pages: Math.ceil(report.totalCount / PART) })}
              </span>
              <Button
                variant="default"
                disabled={skip + PART >= report.totalCount}
                onClick={() => setSkip(skip + PART)}
              >
                {t("ui.nextPage")}
              </Button>
            </nav>
          )}
        </>
      )}
    </section>
  );
}

/** The server tells halves of a line, as a terminal shows them; here each stands alone. */
const sentence = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);
