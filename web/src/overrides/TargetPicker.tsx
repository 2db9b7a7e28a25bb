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
import type { Target } from "./overrides";

interface Props {
  courseId: string;
  target: Target | null;
  onChoose: (target: Target) => void;
}

/** Chooses a group or a student of a course. */
export function TargetPicker({ courseId, target, onChoose }: Props) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const groups = useQuery(CourseGroupsDocument, { variables: { id: courseId } }).data?.course.groups;
  const { data, previousData, error, refetch } = useQuery(OverrideStudentsDocument, {
    variables: { id: courseId, search: words.trim() || null },
    fetchPolicy: "no-cache",
  });
  const students = (data ?? previousData)?.course.students;
  const wanted = words.trim().toLowerCase();
  const found: Target[] = [
    ...(groups ?? [])
      .filter(({ title }) => title.toLowerCase().includes(wanted))
      .map(({ id, title }): Target => ({ kind: "group", id, name: title })),
    ...(students?.nodes ?? []).map(
      ({ id, user }): Target => ({ kind: "student", id, name: user.fullName || user.email }),
    ),
  ];
  const shown = target && !found.some(({ id }) => id === target.id) ? [target, ...found] : found;
  const more = (students?.totalCount ?? 0) - (students?.nodes.length ?? 0);
  return (
    <div className={classes.picker}>
      <SearchField label={t("overrides.search")} value={words} onSearch={setWords} />
      {error && !students && <LoadFailure error={error} retry={() => void refetch()} heading="p" />}
      {!students && !error && <ListSkeleton rows={3} height="2rem" />}
      {students && shown.length === 0 && (
        <p className={classes.dim}>{t(wanted ? "overrides.nobodyFound" : "overrides.nobody")}</p>
      )}
      {students && shown.length > 0 && (
        <div className={classes.found}>
          <RadioGroup
            label={t("overrides.forWhom")}
            value={target?.id ?? ""}
            options={shown.map(({ id, kind, name }) => ({
              value: id,
              label: kind === "group" ? t("overrides.group", { group: name }) : name,
            }))}
            onChange={(id) => {
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
