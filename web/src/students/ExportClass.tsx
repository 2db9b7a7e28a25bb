import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { IconUpload } from "../ui/authorIcons";
import { Button } from "../ui/Button";

import { useMenu } from "../ui/Menu";
import { saveFile } from "../ui/saveFile";
import { toastFailure } from "../ui/toasts";
import type { Separator } from "./csv";
import { classAsCsv, fileName } from "./exportClass";
import classes from "./StudentsList.module.css";

interface Props {
  course: Course;
  /** The group whose results are saved; undefined for the whole class. */
  group: string | undefined;
}

/** The button that downloads the results of the class as CSV, in one of two forms. */
export function ExportClass({ course, group }: Props) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const [busy, setBusy] = useState(false);
  const save = async (separator: Separator) => {
    setBusy(true);
    try {
      const text = await classAsCsv(client, course.id, group, separator);
      saveFile(`${fileName(course.title)}.csv`, "text/csv;charset=utf-8", text);
    } catch (error) {
      toastFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const { button, menu } = useMenu({
    label: t("students.exportLabel"),
    align: "end",
    items: () => [
      { label: t("students.exportSemicolons"), onSelect: () => void save(";") },
      { label: t("students.exportCommas"), onSelect: () => void save(",") },
    ],
  });
  return (
    <>
      <Button
        {...button}
        variant="default"
        loading={busy}
        icon={<IconUpload size={18} className={classes.down} />}
      >
        {t("students.export")}
      </Button>
      {menu}
    </>
  );
}
