import { type ChangeEvent, type ReactNode, useId, useState } from "react";
import styles from "./BlockPanel.module.css";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  most?: number;
  placeholder?: string;
  /** Suggestions while typing. */
  list?: readonly string[];
  multiline?: boolean;
  problem?: string | null;
  hint?: string | null;
  autoFocus?: boolean;
}

/** A field of a block's panel. Shows the typed text even while the block holds a normalised value. */
export function Field({
  label,
  value,
  onChange,
  most,
  placeholder,
  list,
  multiline,
  problem,
  hint,
  autoFocus,
}: Props) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [given, setGiven] = useState(value);
  /** The texts given to `onChange` that `value` has not returned yet. */
  const [sent, setSent] = useState<readonly string[]>([]);
  if (given !== value) {
    setGiven(value);
    const index = sent.findIndex((text) => text.trim() === value);
    setSent(sent.slice(index + 1));
    // The value was changed elsewhere, such as by undo.
    if (index < 0) setTyped(value);
  }
  const note: ReactNode = problem ? (
    <span className={styles.problem} id={`${id}-note`} role="alert">
      {problem}
    </span>
  ) : hint ? (
    <span className={styles.hint} id={`${id}-note`}>
      {hint}
    </span>
  ) : null;
  const props = {
    id,
    className: styles.input,
    value: typed,
    maxLength: most,
    placeholder,
    "aria-invalid": Boolean(problem),
    "aria-describedby": note ? `${id}-note` : undefined,
    autoFocus,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const text = event.currentTarget.value;
      setTyped(text);
      setSent((before) => [...before, text]);
      onChange(text);
    },
    onBlur: () => setSent([]),
  };
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {multiline ? (
        <textarea rows={1} spellCheck={false} {...props} />
      ) : (
        <input type="text" autoComplete="off" list={list && `${id}-list`} {...props} />
      )}
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {note}
    </div>
  );
}
