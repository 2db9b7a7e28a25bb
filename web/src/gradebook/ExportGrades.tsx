import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { ApiError } from "../api/apiError";
import type { TableSeparator } from "../api/schema.generated";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { fileName } from "../students/exportClass";
import { Button } from "../ui/Button";
import { useMenu } from "../ui/Menu";
import { saveFile } from "../ui/saveFile";
import { toastFailure } from "../ui/toasts";
import { GradesAddressDocument } from "./ImportGrades.generated";

interface Props {
  course: Course;
  /** The group whose grades are saved; undefined for the whole class. */
  group: string | undefined;
}

/** The button that downloads the gradebook as CSV, in one of two forms. */
export function ExportGrades({ course, group }: Props) {
  const { t, i18n } = useTranslation();
  const client = useApolloClient();
  const [isBusy, setBusy] = useState(false);
  const save = async (separator: TableSeparator) => {
    setBusy(true);
    try {
      const { data } = await client.query({
        query: GradesAddressDocument,
        variables: { id: course.id, groupId: group ?? null, separator },
        fetchPolicy: "no-cache",
      });
      const address = data?.course.exportUrl ?? "";
      const response = await fetch(address, { headers: { "Accept-Language": i18n.language } }).catch(
        (error: unknown) => {
          throw ApiError.from(error, address);
        },
      );
      if (!response.ok) throw await ApiError.fromResponse(response);
      const name = t("students.grades.table.fileName", { course: fileName(course.title) });
      saveFile(`${name}.csv`, "text/csv;charset=utf-8", await response.blob());
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const { button, menu } = useMenu({
    label: t("students.exportLabel"),
    items: () => [
      { label: t("students.exportSemicolons"), onSelect: () => void save("SEMICOLON") },
      { label: t("students.exportCommas"), onSelect: () => void save("COMMA") },
    ],
  });
  return (
    <>
      <Button {...button} variant="default" loading={isBusy}>
        {t("students.export")}
      </Button>
      {menu}
    </>
  );
}
