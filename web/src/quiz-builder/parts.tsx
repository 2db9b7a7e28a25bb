import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { shortText } from "../quiz/shortText";
import { IconButton } from "../ui/IconButton";
import { IconClose, IconPlus } from "../ui/icons";
import { moveItem } from "../ui/sorting/moveItem";
import { Sortable } from "../ui/sorting/Sortable";
import { MAX_PARTS } from "./model";
import classes from "./parts.module.css";

/** Returns the message for a path inside the question; null without a problem. */
export type ProblemAt = (at: string) => ReactNode;

interface PartsProps<T extends { id: string }> {
  parts: readonly T[];
  /** Label of the list. */
  label: string;
  /** Content whose text names the part in announcements. */
  contentOf: (part: T) => unknown;
  onChange: (parts: T[]) => void;
  make: () => T;
  addLabel: string;
  problem: ReactNode;
  children: (part: T, index: number, change: (part: T) => void) => ReactNode;
}

/** A list of options, pairs or items that can be ordered, added and removed. */
export function Parts<T extends { id: string }>(props: PartsProps<T>) {
  const { parts, label, contentOf, onChange, make, addLabel, problem, children } = props;
  const { t } = useTranslation();
  const nameOf = (part: T, index: number) =>
    shortText(contentOf(part)) || t("quiz.itemNumber", { number: index + 1 });
  return (
    <div className={classes.parts}>
      <Sortable
        items={parts}
        idOf={({ id }) => id}
        nameOf={nameOf}
        label={label}
        className={classes.rows}
        onMove={(from, to) => onChange([...moveItem(parts, from, to)])}
      >
        {(part, index) => (
          <div className={classes.part}>
            {children(part, index, (changed) =>
              onChange(parts.map((one) => (one.id === part.id ? changed : one))),
            )}
            <IconButton
              className={classes.remove}
              aria-label={t("quizBuilder.remove", { name: nameOf(part, index) })}
              onClick={() => onChange(parts.filter(({ id }) => id !== part.id))}
            >
              <IconClose size={18} />
            </IconButton>
          </div>
        )}
      </Sortable>
      {problem && <p className={classes.problem}>{problem}</p>}
      <AddButton disabled={parts.length >= MAX_PARTS} onClick={() => onChange([...parts, make()])}>
        {addLabel}
      </AddButton>
    </div>
  );
}

export function AddButton(props: { disabled?: boolean; onClick: () => void; children: ReactNode }) {
  const { disabled = false, onClick, children } = props;
  return (
    <button type="button" className={classes.add} disabled={disabled} onClick={onClick}>
      <IconPlus size={18} />
      {children}
    </button>
  );
}

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  problem?: ReactNode;
  hint?: ReactNode;
  /** Whether the label is only for screen readers. */
  isLabelHidden?: boolean;
}

/** A labelled text input with its problem below. */
export function TextField({ label, problem, hint, isLabelHidden = false, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className={classes.field}>
      {!isLabelHidden && (
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
      )}
      <input
        type="text"
        autoComplete="off"
        {...input}
        id={id}
        aria-label={isLabelHidden ? label : undefined}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-about`}
        className={`${classes.input} ${input.className ?? ""}`}
      />
      <p id={`${id}-about`} className={problem ? classes.problem : classes.hint}>
        {problem || hint}
      </p>
    </div>
  );
}
