import { useTranslation } from "../i18n/useTranslation";
import { Select } from "../ui/Select";
import classes from "./StudentsList.module.css";
import { isState, STATES, type State } from "./state";

interface Props {
  /** Undefined for all students. */
  value: State | undefined;
  onChange: (state: State | undefined) => void;
}

/** A filter for students who may need a reminder. */
export function StateFilter({ value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Select
      className={classes.state}
      aria-label={t("students.nudge.filter")}
      value={value ?? ""}
      onChange={({ currentTarget: { value } }) => onChange(isState(value) ? value : undefined)}
      options={[
        { value: "", label: t("students.nudge.state.all") },
        ...(Object.keys(STATES) as State[]).map((state) => ({
          value: state,
          label: t(`students.nudge.state.${state}`),
        })),
      ]}
    />
  );
}
