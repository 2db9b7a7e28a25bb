import { useQuery } from "@apollo/client/react";
import { useMemo } from "react";
import { CourseDatesDocument } from "../dates/CourseDates.generated";
import { partsOf } from "../dates/parts";
import { partTitle } from "../dates/partTitle";
import { zoneOf } from "../dates/typed";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { OverrideRows } from "./OverrideRows";
import classes from "./Overrides.module.css";
import { labelsOf, type Override, targetOf } from "./overrides";
import { useOverrides } from "./useOverrides";

interface Props {
  courseId: string;
  enrollmentId: string;
  groupId: string | undefined;
  mayChange: boolean;
  /** Moves the focus when the last row of a list has been deleted. */
  onEmptied: () => void;
}

const NONE: readonly Override[] = [];

/** What differs for one student, by their own overrides and those of their group. Nothing without any. */
export default function StudentOverrides({ courseId, enrollmentId, groupId, mayChange, onEmptied }: Props) {
  const { t } = useTranslation();
  const { overrides = NONE, error: listError, reload } = useOverrides(courseId);
  const own = overrides.filter((one) => targetOf(one).id === enrollmentId);
  const ofGroup = overrides.filter((one) => groupId !== undefined && one.group?.id === groupId);
  const { data, error, refetch } = useQuery(CourseDatesDocument, {
    variables: { id: courseId },
    skip: own.length + ofGroup.length === 0,
  });
  const titles = useMemo(
    () => new Map((data ? partsOf(data.course) : []).map((one) => [one.id, partTitle(one, t)])),
    [data, t],
  );
  const labels = useMemo(() => labelsOf(overrides, t), [overrides, t]);
  const failure = (overrides === NONE && listError) || (!data && error);
  if (failure) {
    const retry = () => {
      reload();
      if (error) void refetch().catch(() => undefined);
    };
    return <LoadFailure error={failure} retry={retry} heading="p" />;
  }
  if (!data) return null;
  const props = { courseId, titles, labels, zone: zoneOf(data.course.timeZone), mayChange, onEmptied };
  return (
    <section className={classes.section} aria-label={t("students.views.overrides")}>
      <h3>{t("students.views.overrides")}</h3>
      {own.length > 0 && <OverrideRows {...props} overrides={own} ofOne />}
      {ofGroup.length > 0 && <OverrideRows {...props} overrides={ofGroup} />}
    </section>
  );
}
