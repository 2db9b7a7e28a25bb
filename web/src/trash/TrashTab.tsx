import { useApolloClient, useQuery } from "@apollo/client/react";
import { useEffect } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { EditCourseDocument } from "../outline/EditCourse.generated";
import { ListSkeleton } from "../ui/Skeletons";
import { settleUndoable } from "../ui/undo";
import { Entries } from "./Entries";
import { CourseTrashDocument } from "./Trash.generated";
import classes from "./Trash.module.css";

/** The trash tab of a course: its deleted modules, lessons and pages. */
export default function TrashTab({ course }: { course: Course }) {
  const { t } = useTranslation();
  const client = useApolloClient();
  const { data, error, refetch } = useQuery(CourseTrashDocument, {
    variables: { id: course.id },
    fetchPolicy: "network-only",
  });
  // What was deleted a moment ago waits for its undo; here it can be restored all the same.
  useEffect(() => {
    void settleUndoable().then(() => refetch().catch(() => undefined));
  }, [refetch]);
  if (!data)
    return (
      <QueryState
        error={error}
        retry={() => void refetch()}
        heading="h2"
        loading={<ListSkeleton rows={4} height="4.5rem" />}
      />
    );
  return (
    <section className={classes.trash} aria-label={t("trash.title")}>
      <Entries
        entries={data.course.trash}
        modules={course.modules}
        empty={t("trash.empty")}
        reload={async () => {
          await client.refetchQueries({ include: [EditCourseDocument, CourseTrashDocument] });
        }}
      />
    </section>
  );
}
