import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { Row, Rows, Tag } from "../ui/Rows";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import classes from "./NotedCoursesScreen.module.css";
import { NotedCoursesDocument } from "./Notes.generated";

/** The screen at /notes: the courses in which the user has notes, including those that they have left. */
export function NotedCoursesScreen() {
  const { t } = useTranslation();
  // Not cached: notes are written on pages, which do not know this list.
  const { data, error, loading, refetch } = useQuery(NotedCoursesDocument, {
    fetchPolicy: "no-cache",
    notifyOnNetworkStatusChange: true,
  });
  const courses = loading || error ? undefined : data?.notedCourses;
  return (
    <Screen title={t("notes.screen")} lead={t("notes.courses.lead")}>
      <div className={classes.courses}>
        {!courses ? (
          <QueryState
            error={loading ? null : error}
            retry={() => void refetch().catch(() => undefined)}
            heading="h2"
            loading={<ListSkeleton rows={5} height="4.25rem" />}
          />
        ) : courses.length === 0 ? (
          <EmptyState
            title={t("notes.none")}
            heading="h2"
            action={<ButtonLink to="/">{t("notes.courses.open")}</ButtonLink>}
          >
            {t("notes.noneText")}
          </EmptyState>
        ) : (
          <Rows label={t("notes.courses.list")}>
            {courses.map(({ courseId, title, noteCount, hasLeft }) => (
              <Row
                key={courseId}
                name={
                  <Link to="/view-course/$courseId/notes" params={{ courseId }}>
                    {title}
                  </Link>
                }
                tags={hasLeft && <Tag quiet>{t("notes.courses.left")}</Tag>}
                facts={<span>{t("notes.count", { count: noteCount })}</span>}
              />
            ))}
          </Rows>
        )}
      </div>
    </Screen>
  );
}
