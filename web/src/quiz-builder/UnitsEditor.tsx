import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLeaveQuestion } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import { UNIT_WRITE_NAME_MAX, UNITS_MAX } from "../limits.generated";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { mayLeave } from "../ui/unsaved";
import { NumberField } from "./AnswerEditor";
import type { Unit } from "./model";
import { AddButton, type ProblemAt, TextField } from "./parts";
import groups from "./QuestionEditor.module.css";
import classes from "./UnitsEditor.module.css";
import { canStore, UNTOUCHED, type UnitFault, unitFault, writtenUnits } from "./units";

interface UnitsEditorProps {
  units: readonly Unit[];
  onChange: (units: Unit[]) => void;
  problemAt: ProblemAt;
}

/**
 * Edits the units in which a number may be given. The first is that of the right value; the others are multiples of it. Units that cannot be
 * stored stay in their fields with a message, and then no change reaches `onChange`.
 */
export function UnitsEditor({ units, onChange, problemAt }: UnitsEditorProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLFieldSetElement>(null);
  /** What the fields show while it is not exactly what is stored. */
  const [typed, setTyped] = useState<readonly Unit[] | null>(null);
  const nextKey = useRef(units.length);
  const newKey = () => nextKey.current++;
  /** The keys of the rows: a row keeps its fields when another one is removed. */
  const [keys, setKeys] = useState<readonly number[]>(() => units.map((_, index) => index));
  const shown = typed ?? units;
  const written = writtenUnits(shown);
  const [first] = shown;
  useLeaveQuestion({
    element: root,
    isUnsaved: typed !== null && !canStore(written),
    discard: () => {
      setTyped(null);
      setKeys(units.map(newKey));
    },
  });
  /** The units may also change elsewhere, by an undo for example. */
  const keyOf = (index: number) => (keys.length === shown.length ? (keys[index] ?? index) : -1 - index);
  const put = (next: readonly Unit[]) => {
    const kept = writtenUnits(next);
    const isStored = canStore(kept);
    if (isStored) onChange(kept);
    setTyped(isStored && kept.length === next.length ? null : next);
  };
  const change = (index: number, part: Partial<Unit>) =>
    put(shown.map((one, at) => (at === index ? { ...one, ...part } : one)));
  const focusName = (index: number) =>
    root.current?.querySelectorAll<HTMLElement>("[data-unit-name]")[index]?.focus();
  const add = () => {
    flushSync(() => {
      setKeys([...shown.map((_, index) => keyOf(index)), newKey()]);
      put([...shown, shown.length === 0 ? { name: "", factor: 1 } : UNTOUCHED]);
    });
    focusName(shown.length);
  };
  const remove = async (index: number) => {
    const row = root.current?.querySelectorAll("[data-unit]")[index];
    if (!(await mayLeave(row))) return;
    flushSync(() => {
      setKeys(shown.map((_, at) => keyOf(at)).filter((_, at) => at !== index));
      put(shown.filter((_, at) => at !== index));
    });
    if (index > 0) focusName(index - 1);
    else root.current?.querySelector("button")?.focus();
  };
  /** The fault of a written unit, or the server's message about a field. */
  const problemOf = (index: number, field: "name" | "factor", faults: readonly UnitFault[]) => {
    const unit = shown[index];
    const at = unit ? written.indexOf(unit) : -1;
    const fault = at < 0 ? null : unitFault(written, at);
    if (fault && faults.includes(fault)) return t(`quizBuilder.units.faults.${fault}`);
    return problemAt(`units[${index}].${field}`);
  };
  const nameField = (index: number) => ({
    "data-unit-name": "",
    value: shown[index]?.name,
    maxLength: UNIT_WRITE_NAME_MAX,
    spellCheck: false,
    problem: problemOf(index, "name", ["name", "repeated"]),
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      change(index, { name: event.currentTarget.value }),
  });
  const removeButton = (index: number) => (
    <IconButton
      className={classes.remove}
      aria-label={t("quizBuilder.remove", {
        name: shown[index]?.name || t("quizBuilder.units.name", { number: index + 1 }),
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
          <div className={classes.first} data-unit="">
            <TextField label={t("quizBuilder.units.first")} {...nameField(0)} />
            {/* Without it, the others would be multiples of nothing. */}
            {shown.length === 1 && removeButton(0)}
          </div>
        </>
      )}
      {shown.slice(1).map((unit, at) => {
        const index = at + 1;
        const number = index + 1;
        return (
          <div key={keyOf(index)} className={classes.unit} data-unit="">
            <span aria-hidden="true">1</span>
            <TextField label={t("quizBuilder.units.name", { number })} isLabelHidden {...nameField(index)} />
            <span aria-hidden="true">=</span>
            <NumberField
              label={t("quizBuilder.units.factor", { number })}
              isLabelHidden
              value={unit.factor || null}
              min={0}
              problem={problemOf(index, "factor", ["factor"])}
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
      <AddButton disabled={shown.length >= UNITS_MAX} onClick={add}>
        {t("quizBuilder.units.add")}
      </AddButton>
    </fieldset>
  );
}
