import { useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { DECIMALS_MAX, EXPRESSION_MAX, PARAMETER_WRITE_NAME_MAX, PARAMETERS_MAX } from "../limits.generated";
import { withUnit } from "../quiz/withUnit";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { IconClose } from "../ui/icons";
import { NumberField, ToleranceFields } from "./AnswerEditor";
import classes from "./FormulaEditor.module.css";
import { type Example, exampleOf, faultOf } from "./formula";
import { type FormulaQuestion, MAX_PARAMETER, newParameter, type Unit } from "./model";
import { numberText } from "./numbers";
import { AddButton, type ProblemAt, TextField } from "./parts";
import groups from "./QuestionEditor.module.css";
import { UnitsEditor } from "./UnitsEditor";

interface FormulaEditorProps {
  question: FormulaQuestion;
  onChange: (question: FormulaQuestion) => void;
  problemAt: ProblemAt;
}

/** Edits the parameters of a formula question and the expression of its right answer, with an example. */
export function FormulaEditor({ question, onChange, problemAt }: FormulaEditorProps) {
  const { t } = useTranslation();
  const { parameters, expression } = question;
  const names = parameters.map(({ name }) => name);
  const fault = expression.trim() === "" ? null : faultOf(expression, names);
  const change = (index: number, part: Partial<FormulaQuestion["parameters"][number]>) =>
    onChange({
      ...question,
      parameters: parameters.map((one, at) => (at === index ? { ...one, ...part } : one)),
    });
  return (
    <fieldset className={groups.group}>
      <legend>{t("quizBuilder.formula.legend")}</legend>
      <p className={groups.hint}>{t("quizBuilder.formula.hint")}</p>
      {parameters.map((parameter, index) => {
        const at = `parameters[${index}]`;
        const number = index + 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parameters have no ids, and their names change while they are typed
          <fieldset key={index} className={classes.parameter}>
            <legend className={classes.name}>{t("quizBuilder.formula.parameter", { number })}</legend>
            <TextField
              label={t("quizBuilder.formula.name")}
              value={parameter.name}
              maxLength={PARAMETER_WRITE_NAME_MAX}
              spellCheck={false}
              problem={problemAt(`${at}.name`)}
              onChange={(event) => change(index, { name: event.currentTarget.value.trim() })}
            />
            <NumberField
              label={t("quizBuilder.formula.min")}
              value={parameter.min}
              isOptional
              min={-MAX_PARAMETER}
              max={MAX_PARAMETER}
              problem={problemAt(`${at}.min`)}
              onChange={(min) => change(index, { min })}
            />
            <NumberField
              label={t("quizBuilder.formula.max")}
              value={parameter.max}
              isOptional
              min={-MAX_PARAMETER}
              max={MAX_PARAMETER}
              problem={problemAt(`${at}.max`)}
              onChange={(max) => change(index, { max })}
            />
            <NumberField
              label={t("quizBuilder.formula.decimals")}
              value={parameter.decimals}
              min={0}
              max={DECIMALS_MAX}
              isWhole
              problem={problemAt(`${at}.decimals`)}
              onChange={(decimals) => change(index, { decimals: decimals ?? 0 })}
            />
            <IconButton
              className={classes.remove}
              aria-label={t("quizBuilder.remove", {
                name: parameter.name || t("quizBuilder.formula.parameter", { number }),
              })}
              onClick={() =>
                onChange({ ...question, parameters: parameters.filter((_, at) => at !== index) })
              }
            >
              <IconClose size={18} />
            </IconButton>
          </fieldset>
        );
      })}
      {problemAt("parameters") && <p className={classes.problem}>{problemAt("parameters")}</p>}
      <AddButton
        disabled={parameters.length >= PARAMETERS_MAX}
        onClick={() => onChange({ ...question, parameters: [...parameters, newParameter(names)] })}
      >
        {t("quizBuilder.formula.add")}
      </AddButton>
      <TextField
        label={t("quizBuilder.formula.expression")}
        hint={t("quizBuilder.formula.expressionHint")}
        className={classes.expression}
        value={expression}
        maxLength={EXPRESSION_MAX}
        spellCheck={false}
        problem={
          fault ? t(`quizBuilder.formula.faults.${fault.fault}`, { at: fault.at }) : problemAt("expression")
        }
        onChange={(event) => onChange({ ...question, expression: event.currentTarget.value })}
      />
      <div className={groups.numbers}>
        <ToleranceFields question={question} onChange={onChange} problemAt={problemAt} />
      </div>
      <UnitsEditor
        units={question.units ?? []}
        onChange={(units) => onChange({ ...question, units })}
        problemAt={problemAt}
      />
      <ExampleLine question={question} />
    </fieldset>
  );
}

/** Values that an attempt may get, and the right answer for them. */
function ExampleLine({ question: { parameters, expression, units } }: { question: FormulaQuestion }) {
  const { t } = useTranslation();
  const [seed, setSeed] = useState(1);
  const example = exampleOf(parameters, expression, randomFrom(seed));
  if (!example) return null;
  return (
    <div className={classes.example}>
      <p>
        {t("quizBuilder.formula.example", {
          values: example.values.map(([name, value]) => `${name} = ${value.replace(".", ",")}`).join("; "),
        })}{" "}
        <output>{t("quizBuilder.formula.answer", { answer: answerText(example, units?.[0], t) })}</output>
      </p>
      <Button variant="subtle" onClick={() => setSeed(seed + 1)}>
        {t("quizBuilder.formula.another")}
      </Button>
    </div>
  );
}

function answerText(
  { result }: Example,
  unit: Unit | undefined,
  t: ReturnType<typeof useTranslation>["t"],
): string {
  return typeof result === "number"
    ? withUnit(numberText(result), unit?.name)
    : t(`quizBuilder.formula.without.${result}`);
}

/** Random numbers from 0 up to 1 that stay the same while the author types. */
function randomFrom(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
}
