import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "../i18n/useTranslation";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { mayLeave } from "../ui/unsaved";
import { NumberField } from "./AnswerEditor";
import { MAX_UNIT_NAME, MAX_UNITS, type Unit } from "./model";
import { AddButton, type ProblemAt, TextField } from "./parts";
import groups from "./QuestionEditor.module.css";
import classes from "./UnitsEditor.module.css";

interface UnitsEditorProps {
  units: readonly Unit[];
  onChange: (units: Unit[]) => void;
  problemAt: ProblemAt;
}

/** Edits the units in which a number may be given. The first is that of the right value; the others are multiples of it. */
export function UnitsEditor({ units, onChange, problemAt }: UnitsEditorProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLFieldSetElement>(null);
  /** How often a unit was removed: the fields of those below it then start over with other units. */
  const [removals, setRemovals] = useState(0);
  const [first] = units;
  const focusName = (index: number) =>
    root.current?.querySelectorAll<HTMLElement>("[data-unit-name]")[index]?.focus();
  const change = (index: number, part: Partial<Unit>) =>
    onChange(units.map((one, at) => (at === index ? { ...one, ...part } : one)));
  const add = () => {
    flushSync(() => onChange([...units, { name: "", factor: 1 }]));
    focusName(units.length);
  };
  const remove = async (index: number) => {
    if (!(await mayLeave(root.current ?? undefined))) return;
    flushSync(() => {
      setRemovals((count) => count + 1);
      onChange(units.filter((_, at) => at !== index));
    });
    if (index > 0) focusName(index - 1);
    else root.current?.querySelector("button")?.focus();
  };
  const nameField = (index: number) => ({
    "data-unit-name": "",
    value: units[index]?.name,
    maxLength: MAX_UNIT_NAME,
    spellCheck: false,
    problem: problemAt(`units[${index}].name`),
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      change(index, { name: event.currentTarget.value }),
  });
  const removeButton = (index: number) => (
    <IconButton
      className={classes.remove}
      aria-label={t("quizBuilder.remove", {
        name: units[index]?.name || t("quizBuilder.units.name", { number: index + 1 }),
      })}
      onClick={() => void remove(index)}
    >
      <IconClose size={18} />
    </IconButton>
  );
  return (
    <fieldset ref={root} className={groups.group} aria-label={t("quizBuilder.units.legend")}>
      {first && (
        <>
          <p className={groups.hint}>{t("quizBuilder.units.hint")}</p>
          <div className={classes.first}>
            <TextField label={t("quizBuilder.units.first")} {...nameField(0)} />
            {/* Without it, the others would be multiples of nothing. */}
            {units.length === 1 && removeButton(0)}
          </div>
        </>
      )}
      {units.slice(1).map((unit, at) => {
        const index = at + 1;
        const number = index + 1;
        return (
          <div key={`${removals}-${index}`} className={classes.unit}>
            <span aria-hidden="true">1</span>
            <TextField label={t("quizBuilder.units.name", { number })} isLabelHidden {...nameField(index)} />
            <span aria-hidden="true">=</span>
            <NumberField
              label={t("quizBuilder.units.factor", { number })}
              isLabelHidden
              value={unit.factor}
              min={0}
              problem={problemAt(`units[${index}].factor`)}
              onChange={(factor) => factor !== null && change(index, { factor })}
            />
            <span className={classes.base} aria-hidden="true">
              {first?.name}
            </span>
            {removeButton(index)}
          </div>
        );
      })}
      {problemAt("units") && <p className={classes.problem}>{problemAt("units")}</p>}
      <AddButton disabled={units.length >= MAX_UNITS} onClick={add}>
        {t("quizBuilder.units.add")}
      </AddButton>
    </fieldset>
  );
}
