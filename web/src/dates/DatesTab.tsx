import { useQuery } from "@apollo/client/react";
import { useMemo } from "react";
import { QueryState } from "../errors/QueryState";
import { useTranslation } from "../i18n/useTranslation";
import { EmptyState } from "../ui/EmptyState";
import { TextSkeleton } from "../ui/Skeletons";
import { IconCalendar } from "../ui/timeIcons";
import { CourseDatesDocument, type CourseDatesQuery } from "./CourseDates.generated";
import { DatesDrawing } from "./DatesDrawing";
import classes from "./DatesTab.module.css";
import { DatesTable } from "./DatesTable";
import { COLUMNS, dateOf, partsOf } from "./parts";
import { zoneOf } from "./typed";
import { zoneText } from "./zoneText";

interface Rights {
  editable: boolean;
  /** Whether the user gives students and groups other dates. */
  mayExtend: boolean;
}

/** The tab with all dates of a course in one table. */
export default function DatesTab({ courseId, ...rights }: Rights & { courseId: string }) {
  const { data, error, refetch } = useQuery(CourseDatesDocument, {
    variables: { id: courseId },
    fetchPolicy: "cache-and-network",
  });
  if (data) return <Loaded course={data.course} {...rights} />;
  return (
    <QueryState
      error={error}
      retry={() => void refetch()}
      heading="h2"
      loading={<TextSkeleton lines={10} />}
    />
  );
}

function Loaded({ course, editable, mayExtend }: Rights & { course: CourseDatesQuery["course"] }) {
  const { t } = useTranslation();
  const parts = useMemo(() => partsOf(course), [course]);
  const zone = zoneOf(course.timeZone);
  const isEmpty = parts.every((part) => COLUMNS.every((column) => dateOf(part, column) === null));
  return (
    <div className={classes.tab}>
      {isEmpty && (
        <EmptyState title={t("dates.table.empty")} heading="h2" icon={<IconCalendar size={28} />}>
          {t(editable ? "dates.table.emptyText" : "dates.table.emptyForTeachers")}
        </EmptyState>
      )}
      <p className={classes.hint}>
        {zoneText("dates.table.zone", zone, new Date(), t)}
        {editable && <span className={classes.keys}> {t("dates.table.keys")}</span>}
      </p>
      <DatesTable courseId={course.id} parts={parts} zone={zone} editable={editable} mayExtend={mayExtend} />
      {!isEmpty && <DatesDrawing parts={parts} zone={zone} />}
    </div>
  );
}
