import { useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { TEXT_ANSWER_TEXT_MAX } from "../../limits.generated";
import { isNumber, lacksUnit, unitOf } from "../answers";
import type { FieldProps } from "./props";
import { UnitField } from "./UnitField";
import classes from "./Written.module.css";

/** A free text answer. */
export function ShortText({ answer, onAnswer, disabled, labelledBy }: FieldProps<"ShortTextQuestion">) {
  const { t } = useTranslation();
  return (
    <input
      type="text"
      className={classes.input}
      aria-labelledby={labelledBy}
      placeholder={t("quiz.hint.text")}
      value={answer?.text ?? ""}
      maxLength={TEXT_ANSWER_TEXT_MAX}
      disabled={disabled}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onAnswer({ text: event.currentTarget.value })}
    />
  );
}

/** A number answer, with its unit where there are units. */
export function Numeric({ question, answer, onAnswer, disabled, labelledBy }: FieldProps<"NumericQuestion">) {
  const { t } = useTranslation();
  const [left, setLeft] = useState(false);
  const value = answer?.number ?? "";
  const isWrong = value.trim() !== "" && !isNumber(value);
  const problem = `${question.id}-problem`;
  const unitId = `${question.id}-unit`;
  const { units } = question;
  return (
    <>
      <div className={classes.quantity}>
        <input
          type="text"
          inputMode="decimal"
          className={`${classes.input} ${classes.number}`}
          aria-labelledby={labelledBy}
          aria-describedby={units.length === 1 ? `${unitId} ${problem}` : problem}
          aria-invalid={isWrong}
          data-unreadable={isWrong || undefined}
          placeholder={t("quiz.hint.number")}
          value={value}
          maxLength={100}
          disabled={disabled}
          autoComplete="off"
          onBlur={() => setLeft(true)}
          onChange={(event) => onAnswer({ ...answer, number: event.currentTarget.value })}
        />
        {units.length > 0 && (
          <UnitField
            id={unitId}
            labelledBy={labelledBy}
            units={units}
            unit={unitOf(question, answer)}
            isMissing={lacksUnit(question, answer)}
            isWrong={left && lacksUnit(question, answer)}
            disabled={disabled}
            onChoose={(unit) => onAnswer({ ...answer, unit })}
          />
        )}
      </div>
      {/* A minus alone is no mistake yet while it is typed. */}
      <p id={problem} className={classes.problem} role="status">
        {isWrong && left ? t("quiz.unreadableNumber") : ""}
      </p>
    </>
  );
}
