import { useState } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { TEXT_ANSWER_TEXT_MAX } from "../../limits.generated";
import { isNumber } from "../answers";
import type { FieldProps } from "./props";
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

/** A number answer. */
export function Numeric({ question, answer, onAnswer, disabled, labelledBy }: FieldProps<"NumericQuestion">) {
  const { t } = useTranslation();
  const [left, setLeft] = useState(false);
  const value = answer?.number ?? "";
  const isWrong = value.trim() !== "" && !isNumber(value);
  const problem = `${question.id}-problem`;
  return (
    <>
      <input
        type="text"
        inputMode="decimal"
        className={`${classes.input} ${classes.number}`}
        aria-labelledby={labelledBy}
        aria-describedby={problem}
        aria-invalid={isWrong}
        data-unreadable={isWrong || undefined}
        placeholder={t("quiz.hint.number")}
        value={value}
        maxLength={100}
        disabled={disabled}
        autoComplete="off"
        onBlur={() => setLeft(true)}
        onChange={(event) => onAnswer({ number: event.currentTarget.value })}
      />
      {/* A minus alone is no mistake yet while it is typed. */}
      <p id={problem} className={classes.problem} role="status">
        {isWrong && left ? t("quiz.unreadableNumber") : ""}
      </p>
    </>
  );
}
