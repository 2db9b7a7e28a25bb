import { useQuery } from "@apollo/client/react";
import { useMemo } from "react";
import { CourseDatesDocument } from "../dates/CourseDates.generated";
import { partsOf } from "../dates/parts";
import { partTitle } from "../dates/partTitle";
import { zoneOf } from "../dates/typed";
import { useTranslation } from "../i18n/useTranslation";
import { OverrideRows } from "./OverrideRows";
import classes from "./Overrides.module.css";
import { targetOf } from "./overrides";
import { useOverrides } from "./useOverrides";

interface Props {
  courseId: string;
  enrollmentId: string;
  groupId: string | undefined;
  mayChange: boolean;
}

/** What differs for one student, by their own overrides and those of their group. Nothing without any. */
export default function StudentOverrides({ courseId, enrollmentId, groupId, mayChange }: Props) {
  const { t } = useTranslation();
  const { overrides = [] } = useOverrides(courseId);
  const own = overrides.filter((one) => targetOf(one).id === enrollmentId);
  const ofGroup = overrides.filter((one) => groupId !== undefined && one.group?.id === groupId);
  const { data } = useQuery(CourseDatesDocument, {
    variables: { id: courseId },
    skip: own.length + ofGroup.length === 0,
  });
  const titles = useMemo(
    () => new Map((data ? partsOf(data.course) : []).map((one) => [one.id, partTitle(one, t)])),
    [data, t],
  );
  if (!data) return null;
  const props = { courseId, titles, zone: zoneOf(data.course.timeZone), mayChange };
  return (
    <section className={classes.section} aria-label={t("students.views.overrides")}>
      <h3>{t("students.views.overrides")}</h3>
      {own.length > 0 && <OverrideRows {...props} overrides={own} ofOne />}
      {ofGroup.length > 0 && <OverrideRows {...props} overrides={ofGroup} />}
    </section>
  );
}
