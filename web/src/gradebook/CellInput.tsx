import { useEffect, useRef } from "react";
import classes from "./GradesTable.module.css";

interface Props {
  text: string;
  label: string;
  isWrong: boolean;
  onType: (text: string) => void;
  /** Stores and moves: down by Enter, right or left by Tab. */
  onSave: (move: "down" | "right" | "left") => void;
  onCancel: () => void;
  /** The pointer has gone elsewhere. */
  onLeave: () => void;
}

/** The field of a grade that is typed into its cell. */
export function CellInput({ text, label, isWrong, onType, onSave, onCancel, onLeave }: Props) {
  const input = useRef<HTMLInputElement>(null);
  // The keys that end an edit also move the focus. The blur event that follows must not count as leaving the cell.
  const ended = useRef(false);
  useEffect(() => {
    input.current?.focus();
  }, []);
  return (
    <input
      ref={input}
      className={classes.input}
      aria-label={label}
      aria-invalid={isWrong || undefined}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      onChange={(event) => {
        ended.current = false;
        onType(event.target.value);
      }}
      onFocus={() => {
        ended.current = false;
      }}
      onBlur={(event) => {
        const isReason =
          event.relatedTarget instanceof Element && event.relatedTarget.closest("[data-reason]");
        // Who only looks something up in another window goes on typing afterwards.
        if (!ended.current && !isReason && document.hasFocus()) onLeave();
      }}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter" || event.key === "Tab") {
          event.preventDefault();
          ended.current = true;
          onSave(event.key === "Enter" ? "down" : event.shiftKey ? "left" : "right");
        } else if (event.key === "Escape") {
          event.preventDefault();
          ended.current = true;
          onCancel();
        }
      }}
    />
  );
}
