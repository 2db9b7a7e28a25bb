import { useQuery } from "@apollo/client/react";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { Breadcrumbs } from "../ui/Breadcrumbs";
import { Screen } from "../ui/Screen";
import { ListSkeleton } from "../ui/Skeletons";
import { settleUndoable } from "../ui/undo";
import { Entries } from "./Entries";
import { DeletedCoursesDocument } from "./Trash.generated";

/** The screen at /trash: the deleted courses of the user. */
export function DeletedCourses() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(DeletedCoursesDocument, { fetchPolicy: "network-only" });
  // A course that was deleted a moment ago waits for its undo; here it can be restored all the same.
  useEffect(() => {
    void settleUndoable().then(() => refetch().catch(() => undefined));
  }, [refetch]);
  return (
    <Screen
      title={t("trash.courses")}
      trail={
        <Breadcrumbs>
          <Link to="/">{t("shell.myCourses")}</Link>
        </Breadcrumbs>
      }
    >
      {data ? (
        <Entries
          entries={data.deletedCourses}
          modules={[]}
          empty={t("trash.noCourses")}
          reload={async () => {
            await refetch();
          }}
        />
      ) : (
        <QueryState
          error={error}
          retry={() => void refetch()}
          heading="h2"
          loading={<ListSkeleton rows={4} height="4.5rem" />}
        />
      )}
    </Screen>
  );
}
