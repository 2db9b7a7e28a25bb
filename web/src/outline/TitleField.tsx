import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "./TitleField.module.css";
import { titleProblem } from "./titles";

interface Props {
  label: string;
  initial: string;
  placeholder?: string;
  /** May it be empty? */
  optional?: boolean;
  /** Said below when nothing is wrong. */
  hint?: ReactNode;
  /** The server's refusal of what is typed. */
  refusal?: string | null;
  /** By Enter, or by leaving the field with something in it. */
  onSave: (title: string, by: "enter" | "blur") => void;
  /** By Escape, or by leaving an empty field. */
  onCancel: (by: "escape" | "blur") => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>, title: string) => void;
}

/** A title that is being written where it stands. */
export function TitleField({
  label,
  initial,
  placeholder,
  optional = false,
  hint,
  refusal = null,
  onSave,
  onCancel,
  onKeyDown,
}: Props) {
  const { t } = useTranslation();
  const [title, setTitle] = useState(initial);
  const [wrong, setWrong] = useState<ReturnType<typeof titleProblem>>(null);
  const input = useRef<HTMLInputElement>(null);
  const noteId = useId();
  // Enter and Escape end it, and the blur that follows says the same again.
  const ended = useRef(false);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  const save = (by: "enter" | "blur") => {
    const typed = title.trim();
    const problem = titleProblem(typed, optional);
    setWrong(problem);
    if (problem) return;
    ended.current = true;
    onSave(typed, by);
  };
  const cancel = (by: "escape" | "blur") => {
    ended.current = true;
    onCancel(by);
  };
  const keyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // The rows around it have keys of their own.
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      save("enter");
    } else if (event.key === "Escape") {
      event.preventDefault();
      cancel("escape");
    } else onKeyDown?.(event, title.trim());
  };
  const problem = wrong ? t(`outline.${wrong}`) : refusal;
  return (
    <span className={classes.box}>
      <input
        ref={input}
        className={classes.input}
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem || hint ? noteId : undefined}
        placeholder={placeholder}
        value={title}
        onChange={(event) => {
          setTitle(event.currentTarget.value);
          setWrong(null);
        }}
        onKeyDown={keyDown}
        onClick={(event) => event.stopPropagation()}
        onBlur={() => {
          if (ended.current) {
            ended.current = false;
            return;
          }
          if (title.trim() === "" || title.trim() === initial) cancel("blur");
          else save("blur");
        }}
        autoComplete="off"
      />
      {(problem || hint) && (
        <span
          id={noteId}
          className={classes.note}
          data-wrong={problem ? true : undefined}
          role={problem ? "alert" : undefined}
        >
          {problem ?? hint}
        </span>
      )}
    </span>
  );
}
