import { useQuery } from "@apollo/client/react";
import { useMemo, useState } from "react";
import { CourseDatesDocument } from "../dates/CourseDates.generated";
import { partsOf } from "../dates/parts";
import { partTitle } from "../dates/partTitle";
import { zoneOf } from "../dates/typed";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import type { Course } from "../outline/EditCourse";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { IconClock } from "../ui/laterIcons";
import { Select } from "../ui/Select";
import { ListSkeleton } from "../ui/Skeletons";
import { ExtendDialog } from "./ExtendDialog";
import { OverrideRows } from "./OverrideRows";
import classes from "./Overrides.module.css";
import { type Override, partIdOf, targetOf } from "./overrides";
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
export default function OverridesView({ course, mayChange, part, onPart }: Props) {
  const { t } = useTranslation();
  const dates = useQuery(CourseDatesDocument, {
    variables: { id: course.id },
    fetchPolicy: "cache-and-network",
  });
  const { overrides, error, reload } = useOverrides(course.id);
  const [whom, setWhom] = useState("");
  const [rows, setRows] = useState(STEP);
  const [isAdding, setAdding] = useState(false);
  const parts = useMemo(() => dates.data && partsOf(dates.data.course), [dates.data]);
  const titles = useMemo(() => new Map((parts ?? []).map((one) => [one.id, partTitle(one, t)])), [parts, t]);
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
    <ExtendDialog courseId={course.id} partId={part} onClose={() => setAdding(false)} />
  );
  if (!overrides || !parts || !dates.data)
    return (
      <div className={classes.view}>
        <ListSkeleton rows={5} height="3.75rem" />
      </div>
    );
  if (overrides.length === 0)
    return (
      <div className={classes.view}>
        <EmptyState heading="h2" icon={<IconClock size={28} />} title={t("overrides.none")} action={add}>
          {t(mayChange ? "overrides.noneText" : "overrides.noneReader")}
        </EmptyState>
        {dialog}
      </div>
    );
  const shown = overrides.filter(
    (one) => (whom === "" || targetOf(one).id === whom) && (!part || partIdOf(one, course.id) === part),
  );
  return (
    <section className={classes.view} aria-label={t("students.views.overrides")}>
      <div className={classes.bar}>
        <Select
          className={classes.filter}
          label={t("overrides.forWhom")}
          value={whom}
          onChange={(event) => setWhom(event.currentTarget.value)}
          options={[{ value: "", label: t("overrides.everybody") }, ...targets(overrides, t)]}
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
          zone={zoneOf(dates.data.course.timeZone)}
          mayChange={mayChange}
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

/** Returns those who have overrides, each once. */
function targets(overrides: readonly Override[], t: ReturnType<typeof useTranslation>["t"]) {
  const byId = new Map(overrides.map((one) => [targetOf(one).id, targetOf(one)]));
  return [...byId.values()].map(({ id, kind, name }) => ({
    value: id,
    label: kind === "group" ? t("overrides.group", { group: name }) : name,
  }));
}
