import { useApolloClient } from "@apollo/client/react";
import { useRef, useState } from "react";
import { ApiError } from "../api/apiError";
import { i18n } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { type ReportLine, ReportLines } from "../imports/ReportLines";
import type { Course } from "../outline/EditCourse";
import { fileName } from "../students/exportClass";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Checkbox";
import { IconDownload } from "../ui/laterIcons";
import { Row, Rows } from "../ui/Rows";
import { Section } from "../ui/Section";
import { saveFile } from "../ui/saveFile";
import { toastFailure } from "../ui/toasts";
import { ExportAddressDocument, ExportReportDocument } from "./CourseSettings.generated";
import classes from "./CourseSettings.module.css";

const FORMATS = ["MARKDOWN", "IMSCC", "HTML", "GIFT", "CSV"] as const;
type Format = (typeof FORMATS)[number];

/** What an exported file does not contain. */
interface Report {
  format: Format;
  /** All lines; null when the report could not be fetched. */
  count: number | null;
  /** The first of them. */
  lines: readonly ReportLine[];
}

/** The section that downloads the course in each export format. */
export function ExportCourse({ course }: { course: Course }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [asked, setAsked] = useState<Format | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const [relativeDates, setRelativeDates] = useState(false);
  const [drafts, setDrafts] = useState(false);
  const mayEdit = course.myRole === "OWNER" || course.myRole === "EDITOR";
  // A report that arrives after the next export was requested is dropped.
  const latest = useRef(0);
  const fetchIt = async (format: Format) => {
    setAsked(format);
    setReport(null);
    latest.current += 1;
    const current = latest.current;
    try {
      const { data } = await client.query({
        query: ExportAddressDocument,
        variables: { courseId: course.id, format, relativeDates, drafts },
        fetchPolicy: "no-cache",
      });
      const address = data?.course.exportUrl;
      if (!address) return;
      if (format === "CSV") return await save(address, `${fileName(course.title)}.csv`);
      follow(address);
    } catch (error) {
      return toastFailure(error);
    } finally {
      setAsked(null);
    }
    const found = await reportOf(format);
    if (current === latest.current) setReport(found);
  };
  /** What the downloaded file does not contain. A failure is told beside the file, whose download it does not concern. */
  const reportOf = async (format: Format): Promise<Report | null> => {
    try {
      const { data } = await client.query({
        query: ExportReportDocument,
        variables: { courseId: course.id, format, relativeDates, drafts },
        fetchPolicy: "no-cache",
      });
      const found = data?.exportReport;
      return found && found.totalCount > 0 ? { format, count: found.totalCount, lines: found.nodes } : null;
    } catch {
      return { format, count: null, lines: [] };
    }
  };
  return (
    <Section title={t("courseSettings.export.heading")} text={t("courseSettings.export.text")}>
      <Rows label={t("courseSettings.export.heading")}>
        {FORMATS.map((format) => (
          <Row
            key={format}
            name={t(`courseSettings.export.${format}`)}
            facts={<span>{t(`courseSettings.export.${format}_text`)}</span>}
            tools={
              <Button
                variant="default"
                icon={<IconDownload size={18} />}
                loading={asked === format}
                onClick={() => void fetchIt(format)}
                aria-label={t("courseSettings.export.fetchOf", {
                  format: t(`courseSettings.export.${format}`),
                })}
              >
                {t("courseSettings.export.fetch")}
              </Button>
            }
          />
        ))}
      </Rows>
      <Checkbox
        label={t("courseSettings.export.relative")}
        hint={t("courseSettings.export.relativeHint")}
        checked={relativeDates}
        onChange={(event) => setRelativeDates(event.target.checked)}
      />
      {mayEdit && (
        <Checkbox
          label={t("courseSettings.export.drafts")}
          hint={t("courseSettings.export.draftsHint")}
          checked={drafts}
          onChange={(event) => setDrafts(event.target.checked)}
        />
      )}
      {/* Always rendered: screen readers ignore a live region that appears together with its text. */}
      <div aria-live="polite">{report && <ReportOfExport report={report} />}</div>
    </Section>
  );
}

function ReportOfExport({ report: { format, count, lines } }: { report: Report }) {
  const { t } = useTranslation();
  const name = t(`courseSettings.export.${format}`);
  if (count === null)
    return <p className={classes.report}>{t("courseSettings.export.noReport", { format: name })}</p>;
  return (
    <section className={classes.report}>
      <h3>{t("courseSettings.export.report", { format: name })}</h3>
      <ReportLines lines={lines} />
      {count > lines.length && <p>{t("courseSettings.export.more", { count: count - lines.length })}</p>}
    </section>
  );
}

/** Fetches a file in the language of the screen and saves it: a link would ask for the browser's language. */
async function save(address: string, name: string) {
  const answer = await fetch(address, { headers: { "Accept-Language": i18n.language } }).catch((error) => {
    throw ApiError.from(error, address);
  });
  if (!answer.ok) throw await ApiError.fromResponse(answer);
  saveFile(name, answer.headers.get("Content-Type") ?? "", await answer.blob());
}

/** Downloads with a link, so that the browser streams the file to disk and the screen stays open. */
function follow(address: string) {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
