import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import classes from "./ClassViews.module.css";
import type { StudentsSearch } from "./StudentsTab";

const VIEWS = ["list", "map"] as const;

/** Leads from the list of a class to the map of the course and back; the search and the order of the list are kept. */
export function ClassViews({ courseId, look }: { courseId: string; look: StudentsSearch }) {
  const { t } = useTranslation();
  const { view: shown = "list", ...list } = look;
  return (
    <nav className={classes.views} aria-label={t("students.views.label")}>
      {VIEWS.map((view) => (
        <Link
          key={view}
          to="/edit-course/$courseId"
          params={{ courseId }}
          search={{ tab: "students", ...list, ...(view === "map" && { view }) }}
          resetScroll={false}
          // The address of the list is the beginning of the map's.
          activeOptions={{ exact: true }}
          aria-current={view === shown ? "page" : undefined}
        >
          {t(`students.views.${view}`)}
        </Link>
      ))}
    </nav>
  );
}
