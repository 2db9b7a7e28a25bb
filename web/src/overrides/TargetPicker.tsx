import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { useTranslation } from "../i18n/useTranslation";
import { CourseGroupsDocument } from "../students/Groups.generated";
import { RadioGroup } from "../ui/RadioGroup";
import { SearchField } from "../ui/SearchField";
import { ListSkeleton } from "../ui/Skeletons";
import { OverrideStudentsDocument } from "./Overrides.generated";
import classes from "./Overrides.module.css";
import { labelOf, studentTarget, type Target } from "./overrides";

interface Props {
  courseId: string;
  target: Target | null;
  onChoose: (target: Target) => void;
  /** The question above the choices. */
  label?: string;
  /** Offers a new learner as well, who is chosen while `target` is null. */
  newcomer?: { label: string; onChoose: () => void };
}

/** Chooses a group or a student of a course. */
export function TargetPicker({ courseId, target, onChoose, label, newcomer }: Props) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const groups = useQuery(CourseGroupsDocument, { variables: { id: courseId } });
  const { data, previousData, error, refetch } = useQuery(OverrideStudentsDocument, {
    variables: { id: courseId, search: words.trim() || null },
    fetchPolicy: "no-cache",
  });
  const students = (data ?? (error ? undefined : previousData))?.course.students;
  const failure = (!data && error) || (!groups.data && groups.error);
  const retry = () => {
    if (error) void refetch().catch(() => undefined);
    if (groups.error) void groups.refetch().catch(() => undefined);
  };
  const wanted = words.trim().toLowerCase();
  const found: Target[] = [
    ...(groups.data?.course.groups ?? [])
      .filter(({ title }) => title.toLowerCase().includes(wanted))
      .map(({ id, title }): Target => ({ kind: "group", id, name: title })),
    ...(students?.nodes ?? []).map(({ id, user }) => studentTarget(id, user)),
  ];
  const shown = target && !found.some(({ id }) => id === target.id) ? [target, ...found] : found;
  const options = [
    ...(newcomer ? [{ value: "", label: newcomer.label }] : []),
    ...shown.map((one) => ({ value: one.id, label: labelOf(one, t, true) })),
  ];
  const isKnown = students && (groups.data || groups.error);
  const more = (students?.totalCount ?? 0) - (students?.nodes.length ?? 0);
  return (
    <div className={classes.picker}>
      <SearchField
        label={t("overrides.search")}
        value={words}
        onSearch={setWords}
        // It would submit the form around, for the one who was chosen before.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      {failure && <LoadFailure error={failure} retry={retry} heading="p" />}
      {!isKnown && !failure && <ListSkeleton rows={3} height="2rem" />}
      {isKnown && !failure && shown.length === 0 && (
        <p className={classes.dim}>{t(wanted ? "overrides.nobodyFound" : "overrides.nobody")}</p>
      )}
      {isKnown && options.length > 0 && (
        <div className={classes.found}>
          <RadioGroup
            label={label ?? t("overrides.forWhom")}
            value={target?.id ?? ""}
            options={options}
            onChange={(id) => {
              if (id === "") newcomer?.onChoose();
              const chosen = shown.find((one) => one.id === id);
              if (chosen) onChoose(chosen);
            }}
          />
          {more > 0 && <p className={classes.dim}>{t("overrides.more", { count: more })}</p>}
        </div>
      )}
    </div>
  );
}
