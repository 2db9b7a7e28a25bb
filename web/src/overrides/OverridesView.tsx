import { useQuery } from "@apollo/client/react";
import { useMemo, useRef, useState } from "react";
import { CourseDatesDocument } from "../dates/CourseDates.generated";
import { partsOf } from "../dates/parts";
import { partTitle } from "../dates/partTitle";
import { zoneOf } from "../dates/typed";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { Select } from "../ui/Select";
import { ListSkeleton } from "../ui/Skeletons";
import { IconClock } from "../ui/timeIcons";
import { ExtendDialog } from "./ExtendDialog";
import { OverrideRows } from "./OverrideRows";
import classes from "./Overrides.module.css";
import { filtered, labelsOf, partIdOf } from "./overrides";
import { useOverrides } from "./useOverrides";

/** Rows that are shown at first, and that each press adds. */
const STEP = 100;

interface Props {
  course: Course;
  mayChange: boolean;
  /** The part whose overrides are shown; undefined for all. */
  part: string | undefined;
  onPart: (part: string | undefined) => void;
}

/** All overrides of a course, by whom and by what they are of. */
export default function OverridesView({ course, mayChange, part: wanted, onPart }: Props) {
  const { t } = useTranslation();
  const dates = useQuery(CourseDatesDocument, {
    variables: { id: course.id },
    fetchPolicy: "cache-and-network",
  });
  const { overrides, error, reload } = useOverrides(course.id);
  const [chosen, setWhom] = useState("");
  const view = useRef<HTMLElement>(null);
  const [rows, setRows] = useState(STEP);
  const [isAdding, setAdding] = useState(false);
  const parts = useMemo(() => dates.data && partsOf(dates.data.course), [dates.data]);
  const titles = useMemo(() => new Map((parts ?? []).map((one) => [one.id, partTitle(one, t)])), [parts, t]);
  const labels = useMemo(() => labelsOf(overrides ?? [], t), [overrides, t]);
  const failure = (!overrides && error) || (!parts && dates.error);
  if (failure) {
    const retry = () => {
      reload();
      void dates.refetch().catch(() => undefined);
    };
    return <LoadFailure error={failure} retry={retry} heading="h2" />;
  }
  const add = mayChange && <Button onClick={() => setAdding(true)}>{t("overrides.add")}</Button>;
  const dialog = isAdding && (
    <ExtendDialog courseId={course.id} partId={wanted} onClose={() => setAdding(false)} />
  );
  if (!overrides || !parts || !dates.data)
    return (
      <div className={classes.view}>
        <ListSkeleton rows={5} height="3.75rem" />
      </div>
    );
  if (overrides.length === 0)
    return (
      <section ref={view} tabIndex={-1} className={classes.view} aria-label={t("students.views.overrides")}>
        <EmptyState heading="h2" icon={<IconClock size={28} />} title={t("overrides.none")} action={add}>
          {t(mayChange ? "overrides.noneText" : "overrides.noneReader")}
        </EmptyState>
        {dialog}
      </section>
    );
  const { whom, part, shown } = filtered(overrides, course.id, parts, { whom: chosen, part: wanted });
  return (
    <section ref={view} tabIndex={-1} className={classes.view} aria-label={t("students.views.overrides")}>
      <div className={classes.bar}>
        <Select
          className={classes.filter}
          label={t("overrides.forWhom")}
          value={whom}
          onChange={(event) => setWhom(event.currentTarget.value)}
          options={[
            { value: "", label: t("overrides.everybody") },
            ...[...labels].map(([value, label]) => ({ value, label })),
          ]}
        />
        <Select
          className={classes.filter}
          label={t("overrides.part")}
          value={part ?? ""}
          onChange={(event) => onPart(event.currentTarget.value || undefined)}
          options={[
            { value: "", label: t("overrides.everything") },
            ...parts
              .filter(({ id }) => id === part || overrides.some((one) => partIdOf(one, course.id) === id))
              .map(({ id }) => ({ value: id, label: titles.get(id) ?? "" })),
          ]}
        />
        {add}
      </div>
      {shown.length === 0 ? (
        <p className={classes.dim}>{t("overrides.nothingFound")}</p>
      ) : (
        <OverrideRows
          courseId={course.id}
          overrides={shown.slice(0, rows)}
          titles={titles}
          labels={labels}
          zone={zoneOf(dates.data.course.timeZone)}
          mayChange={mayChange}
          onEmptied={() => view.current?.focus()}
        />
      )}
      {shown.length > rows && (
        <Button variant="default" onClick={() => setRows(rows + STEP)}>
          {t("overrides.showMore", { count: shown.length - rows })}
        </Button>
      )}
      {dialog}
    </section>
  );
}
