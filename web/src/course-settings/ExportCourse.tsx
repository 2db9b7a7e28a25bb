import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import { i18n } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { type ReportLine, ReportLines } from "../imports/ReportLines";
import type { Course } from "../outline/EditCourse";
import { fileName, saveFile } from "../students/exportClass";
import { Button } from "../ui/Button";
import { IconDownload } from "../ui/laterIcons";
import { Row, Rows } from "../ui/Rows";
import { Section } from "../ui/Section";
import { toastFailure } from "../ui/toasts";
import { ExportAddressDocument, ExportReportDocument } from "./CourseSettings.generated";
import classes from "./CourseSettings.module.css";

const FORMATS = ["MARKDOWN", "IMSCC", "HTML", "GIFT", "CSV"] as const;
type Format = (typeof FORMATS)[number];

/** The formats with words of the interface; the others are streamed to disk. */
const IN_LANGUAGE: ReadonlySet<Format> = new Set(["HTML", "CSV"]);

/** The section that downloads the course in each export format. */
export function ExportCourse({ course }: { course: Course }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [asked, setAsked] = useState<Format | null>(null);
  const [report, setReport] = useState<{ format: Format; count: number; lines: readonly ReportLine[] }>();
  const fetchIt = async (format: Format) => {
    setAsked(format);
    setReport(undefined);
    try {
      const { data } = await client.query({
        query: ExportAddressDocument,
        variables: { courseId: course.id, format },
        fetchPolicy: "no-cache",
      });
      const address = data?.course.exportUrl;
      if (address && IN_LANGUAGE.has(format))
        await save(address, `${fileName(course.title)}.${format.toLowerCase()}`);
      else if (address) follow(address);
      if (format !== "CSV") await tell(format);
    } catch (error) {
      toastFailure(error);
    } finally {
      setAsked(null);
    }
  };
  /** Shows what the downloaded file does not contain. */
  const tell = async (format: Format) => {
    const { data } = await client.query({
      query: ExportReportDocument,
      variables: { courseId: course.id, format },
      fetchPolicy: "no-cache",
    });
    const found = data?.exportReport;
    if (found && found.totalCount > 0) setReport({ format, count: found.totalCount, lines: found.nodes });
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
      {report && (
        <section aria-live="polite" className={classes.report}>
          <h3>
            {t("courseSettings.export.report", { format: t(`courseSettings.export.${report.format}`) })}
          </h3>
          <ReportLines lines={report.lines} />
          {report.count > report.lines.length && (
            <p>{t("courseSettings.export.more", { count: report.count - report.lines.length })}</p>
          )}
        </section>
      )}
    </Section>
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
