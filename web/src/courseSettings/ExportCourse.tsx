import { useApolloClient } from "@apollo/client/react";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Course } from "../outline/EditCourse";
import { IconDownload } from "../ui/icons";
import { Row, Rows } from "../ui/Rows";
import { Section } from "../ui/Section";
import { toastFailure } from "../ui/toasts";
import { ExportAddressDocument } from "./CourseSettings.generated";

const FORMATS = ["MARKDOWN", "IMSCC", "HTML", "GIFT", "CSV"] as const;
type Format = (typeof FORMATS)[number];

/** The course as a file, in the forms it can leave in. */
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
      if (address) follow(address);
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
                leftSection={<IconDownload size={18} />}
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

/** The browser fetches the file by itself, part by part, and the screen stays. */
function follow(address: string) {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
