import { type InputHTMLAttributes, type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { moved } from "../quiz/sorting/moved";
import { Sortable } from "../quiz/sorting/Sortable";
import { wordsOf } from "../quiz/words";
import { IconClose, IconPlus } from "../ui/icons";
import { MAX_PARTS } from "./model";
import classes from "./parts.module.css";

/** What is wrong at a place inside the question, in words; null when nothing is. */
export type ProblemAt = (at: string) => ReactNode;

interface PartsProps<T extends { id: string }> {
  parts: readonly T[];
  /** What the list is. */
  label: string;
  /** In whose words a part is called when it is moved. */
  contentOf: (part: T) => unknown;
  onChange: (parts: T[]) => void;
  make: () => T;
  addLabel: string;
  problem: ReactNode;
  children: (part: T, index: number, change: (part: T) => void) => ReactNode;
}

/** Options, pairs or items: put in order, added to and taken away from. */
export function Parts<T extends { id: string }>(props: PartsProps<T>) {
  const { parts, label, contentOf, onChange, make, addLabel, problem, children } = props;
  const { t } = useTranslation();
  const nameOf = (part: T, index: number) =>
    wordsOf(contentOf(part)) || t("quiz.itemNumber", { number: index + 1 });
  return (
    <div className={classes.parts}>
      <Sortable
        items={parts}
        idOf={({ id }) => id}
        nameOf={nameOf}
        label={label}
        className={classes.rows}
        onMove={(from, to) => onChange([...moved(parts, from, to)])}
      >
        {(part, index) => (
          <div className={classes.part}>
            {children(part, index, (changed) =>
              onChange(parts.map((one) => (one.id === part.id ? changed : one))),
            )}
            <button
              type="button"
              className={classes.remove}
              aria-label={t("quizBuilder.remove", { name: nameOf(part, index) })}
              onClick={() => onChange(parts.filter(({ id }) => id !== part.id))}
            >
              <IconClose size={18} />
            </button>
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
  /** Only said, not seen. */
  isLabelHidden?: boolean;
}

/** A labelled line of text with what is wrong with it below. */
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

interface CheckFieldProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function CheckField({ label, hint, checked, onChange }: CheckFieldProps) {
  return (
    <label className={classes.check}>
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint && <span className={classes.hint}>{hint}</span>}
      </span>
    </label>
  );
}
