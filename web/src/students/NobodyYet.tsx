import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../ui/EmptyState";
import { IconPeople } from "../ui/icons";
import classes from "./NobodyYet.module.css";

/** Stands where the class would be, and says how one comes by it. */
export function NobodyYet({ courseId }: { courseId: string }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      heading="h2"
      icon={<IconPeople size={28} />}
      title={t("students.none")}
      action={
        <Link
          to="/edit-course/$courseId"
          params={{ courseId }}
          search={{ tab: "settings" }}
          className={classes.toSettings}
        >
          {t("students.toCode")}
        </Link>
      }
    >
      {t("students.noneText")}
    </EmptyState>
  );
}
