import { Link } from "@tanstack/react-router";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./ClassViews.module.css";
import type { StudentsSearch } from "./StudentsTab";

const VIEWS = ["list", "map", "groups", "overrides", "certificates"] as const;

/** The switch between the class list, the course map, the groups and the other views; it keeps the list's search, order and group. */
export function ClassViews({ courseId, look }: { courseId: string; look: StudentsSearch }) {
  const { t } = useTranslation();
  const { view: shown = "list", part: _, ...list } = look;
  return (
    <nav className={classes.views} aria-label={t("students.views.label")}>
      {VIEWS.map((view) => (
        <Link
          key={view}
          to="/edit-course/$courseId"
          params={{ courseId }}
          search={{ tab: "students", ...list, ...(view !== "list" && { view }) }}
          resetScroll={false}
          // The map's address also matches the list's link, because it only adds a search parameter.
          activeOptions={{ exact: true }}
          // The analysis of a quiz is opened from the map.
          aria-current={view === shown ? "page" : view === "map" && shown === "analysis" ? "true" : undefined}
        >
          {t(`students.views.${view}`)}
        </Link>
      ))}
    </nav>
  );
}
