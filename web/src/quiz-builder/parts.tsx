import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useRef, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { OPTIONS_MAX } from "../limits.generated";
import { shortText } from "../quiz/shortText";
import { IconButton } from "../ui/IconButton";
import { IconClose, IconPlus } from "../ui/icons";
import { moveItem } from "../ui/sorting/moveItem";
import { Sortable } from "../ui/sorting/Sortable";
import { isEmptyDocument } from "./model";
import classes from "./parts.module.css";

/** Returns the message for a path inside the question; null without a problem. */
export type ProblemAt = (at: string) => ReactNode;

interface PartsProps<T extends { id: string }> {
  parts: readonly T[];
  /** Label of the list. */
  label: string;
  /** Content whose text names the part in announcements. */
  contentOf: (part: T) => unknown;
  /** Whether nothing was written in a part, so that a pasted text may replace it. By default, its content decides. */
  isEmpty?: (part: T) => boolean;
  onChange: (parts: T[]) => void;
  /** Makes a part that begins with the text. */
  make: (text?: string) => T;
  addLabel: string;
  problem: ReactNode;
  children: (part: T, index: number, row: Row<T>) => ReactNode;
  /** What stands below a part, over its whole width. */
  below?: (part: T, index: number, change: (part: T) => void) => ReactNode;
}

interface Row<T> {
  change: (part: T) => void;
  /** The part was just added, so its first field takes the focus. */
  isNew: boolean;
  /** Goes to the part below if it is empty; otherwise adds an empty part below this one. */
  addBelow: () => void;
  /** How many parts can be added below this one, in place of empty parts that follow it. */
  room: number;
  /** Adds a part for each text below this one; at most `room` texts. */
  addTexts: (texts: string[]) => void;
}

/** A list of options, pairs or items that can be ordered, added and removed. */
export function Parts<T extends { id: string }>(props: PartsProps<T>) {
  const { parts, label, contentOf, onChange, make, addLabel, problem, children } = props;
  const { below, isEmpty = (part: T) => isEmptyDocument(contentOf(part)) } = props;
  const { t } = useTranslation();
  const [added, setAdded] = useState<string | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const insert = (before: readonly T[], texts: string[], after: readonly T[]) => {
    const made = texts.slice(0, OPTIONS_MAX - before.length - after.length).map((text) => make(text));
    setAdded(made.at(-1)?.id ?? null);
    onChange([...before, ...made, ...after]);
  };
  const withoutEmptyStart = (rest: readonly T[]) => {
    const firstFilled = rest.findIndex((part) => !isEmpty(part));
    return firstFilled < 0 ? [] : rest.slice(firstFilled);
  };
  const change = (changed: T) => onChange(parts.map((one) => (one.id === changed.id ? changed : one)));
  const nameOf = (part: T, index: number) =>
    shortText(contentOf(part)) || t("quiz.itemNumber", { number: index + 1 });
  return (
    <div ref={root} className={classes.parts}>
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
            {children(part, index, {
              change,
              isNew: part.id === added,
              room: OPTIONS_MAX - index - 1 - withoutEmptyStart(parts.slice(index + 1)).length,
              addBelow: () => {
                const next = parts[index + 1];
                if (next && isEmptyDocument(contentOf(next)))
                  root.current
                    ?.querySelectorAll(`.${classes.part}`)
                    [index + 1]?.querySelector<HTMLElement>("[role=textbox]")
                    ?.focus();
                else insert(parts.slice(0, index + 1), [""], parts.slice(index + 1));
              },
              addTexts: (texts) =>
                insert(parts.slice(0, index + 1), texts, withoutEmptyStart(parts.slice(index + 1))),
            })}
            <IconButton
              className={classes.remove}
              aria-label={t("quizBuilder.remove", { name: nameOf(part, index) })}
              onClick={() => onChange(parts.filter(({ id }) => id !== part.id))}
            >
              <IconClose size={18} />
            </IconButton>
            {below?.(part, index, change)}
          </div>
        )}
      </Sortable>
      {problem && <p className={classes.problem}>{problem}</p>}
      <AddButton disabled={parts.length >= OPTIONS_MAX} onClick={() => insert(parts, [""], [])}>
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
  ref?: Ref<HTMLInputElement>;
  label: string;
  problem?: ReactNode;
  hint?: ReactNode;
  /** Whether the label is only for screen readers. */
  isLabelHidden?: boolean;
  /** Shown behind the text, which is then right-aligned. The label names it for screen readers. */
  suffix?: string | undefined;
}

/** A labelled text input with its problem below. */
export function TextField({ label, problem, hint, isLabelHidden = false, suffix, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className={classes.field}>
      {!isLabelHidden && (
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
      )}
      <div className={classes.box} data-suffix={suffix}>
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
      </div>
      <p id={`${id}-about`} className={problem ? classes.problem : classes.hint}>
        {problem || hint}
      </p>
    </div>
  );
}
