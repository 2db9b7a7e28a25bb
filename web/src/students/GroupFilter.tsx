import { useTranslation } from "../i18n/useTranslation";
import { Select } from "../ui/Select";
import classes from "./Groups.module.css";
import { type Group, WITHOUT } from "./useGroups";

interface Props {
  groups: readonly Group[];
  /** The id of a group, or `WITHOUT`; undefined for all students. */
  value: string | undefined;
  onChange: (group: string | undefined) => void;
}

/** The choice of the group whose students a view shows. */
export function GroupFilter({ groups, value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Select
      className={classes.filter}
      aria-label={t("students.groups.filter")}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      options={[
        { value: "", label: t("students.groups.all") },
        ...groups.map(({ id, title }) => ({ value: id, label: title })),
        { value: WITHOUT, label: t("students.groups.without") },
      ]}
    />
  );
}
