import { useTranslation } from "../../i18n/useTranslation";
import classes from "./Written.module.css";

interface UnitFieldProps {
  id: string;
  /** The id of the prompt. */
  labelledBy: string;
  units: readonly string[];
  unit: string | undefined;
  /** Whether only the unit is missing from the answer. */
  isMissing: boolean;
  /** Whether that is told already. */
  isWrong: boolean;
  disabled: boolean;
  onChoose: (unit: string | undefined) => void;
}

/** The unit of a number: a list to choose from, or a text if there is only one. */
export function UnitField(props: UnitFieldProps) {
  const { id, labelledBy, units, unit, isMissing, isWrong, disabled, onChoose } = props;
  const { t } = useTranslation();
  if (units.length === 1) {
    return (
      <span id={id} className={classes.onlyUnit}>
        {units[0]}
      </span>
    );
  }
  return (
    <select
      id={id}
      className={`${classes.input} ${classes.unit}`}
      aria-label={t("quiz.units.label")}
      aria-labelledby={`${id} ${labelledBy}`}
      aria-invalid={isWrong || undefined}
      data-missing={isMissing ? "" : undefined}
      value={unit ?? ""}
      disabled={disabled}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    >
      <option value="">{t("quiz.chooseOption")}</option>
      {units.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
