import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { optionalTitleProblem, titleProblem } from "../forms/rules";
import { useLeaveGuard } from "../forms/useLeaveGuard";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./TitleField.module.css";

interface Props {
  label: string;
  /** Names the edited item among all items. */
  subject: string;
  initial: string;
  placeholder?: string;
  /** Whether an empty title is valid. */
  optional?: boolean;
  /** Shown below while there is no problem. */
  hint?: ReactNode;
  /** The server's reason to refuse the title. */
  refusal?: string | null;
  /** Called on Enter, and when the field loses the focus with a changed title. */
  onSave: (title: string, by: "enter" | "blur") => void;
  /** Called on Escape, and when the field loses the focus empty or unchanged. */
  onCancel: (by: "escape" | "blur") => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>, title: string) => void;
  /** Takes text pasted into the empty field. Returns whether it used the text. */
  onPasted?: (text: string) => boolean;
}

/** A text field that edits a title in place. */
export function TitleField({
  label,
  subject,
  initial,
  placeholder,
  optional = false,
  hint,
  refusal = null,
  onSave,
  onCancel,
  onKeyDown,
  onPasted,
}: Props) {
  const { t } = useTranslation();
  const [title, setTitle] = useState(initial);
  const [wrong, setWrong] = useState<ReturnType<typeof titleProblem>>(null);
  const input = useRef<HTMLInputElement>(null);
  const noteId = useId();
  // Enter and Escape finish the edit; the blur that follows must not do so again.
  const ended = useRef(false);
  useLeaveGuard({
    name: "outline-title",
    subject,
    element: input,
    isUnsaved: title.trim() !== initial,
    discard: () => flushSync(() => setTitle(initial)),
    values: () => ({ title }),
    restore: (kept) => setTitle(String(kept.title)),
  });
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  const save = (by: "enter" | "blur") => {
    const typed = title.trim();
    const problem = optional ? optionalTitleProblem(typed) : titleProblem(typed);
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
    // The row has its own keys.
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
  const problem = wrong ? t(wrong) : refusal;
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
        onPaste={(event) => {
          if (title.trim() !== "" || !onPasted?.(event.clipboardData.getData("text/plain"))) return;
          event.preventDefault();
          ended.current = true;
        }}
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
