import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import { i18n } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { fileName, saveFile } from "../students/exportClass";
import { Button } from "../ui/Button";
import { IconDownload } from "../ui/laterIcons";
import { Row, Rows } from "../ui/Rows";
import { Section } from "../ui/Section";
import { toastFailure } from "../ui/toasts";
import { ExportAddressDocument } from "./CourseSettings.generated";

const FORMATS = ["MARKDOWN", "IMSCC", "HTML", "GIFT", "CSV"] as const;
type Format = (typeof FORMATS)[number];

/** The formats with words of the interface; the others are streamed to disk. */
const IN_LANGUAGE: ReadonlySet<Format> = new Set(["HTML", "CSV"]);

/** The section that downloads the course in each export format. */
export function ExportCourse({ course }: { course: Course }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [asked, setAsked] = useState<Format | null>(null);
  const fetchIt = async (format: Format) => {
    setAsked(format);
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
    } catch (error) {
      toastFailure(error);
    } finally {
      setAsked(null);
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
