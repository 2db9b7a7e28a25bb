import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import classes from "./DatesTable.module.css";
import { type Column, fieldOf, type Part } from "./parts";
import { partTitle } from "./partTitle";
import { type CellEdits, cellKey } from "./useCellEdits";

interface Props {
  part: Part;
  column: Column;
  zone: string;
  /** Row and column, for the focus. */
  place: string;
  isActive: boolean;
  edits: CellEdits;
  editable: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  /** The edit has ended by a key: the focus goes down, or back to the cell. */
  onDone: (down: boolean) => void;
}

/** A date in the table: its text, or the field that edits it. */
export function DateCell({
  part,
  column,
  place,
  isActive,
  edits,
  editable,
  onFocus,
  onKeyDown,
  onDone,
}: Props) {
  const { t } = useTranslation();
  const noteId = useId();
  const key = cellKey(part, column);
  const draft = edits.drafts.get(key);
  const isEditing = edits.editing === key;
  const text = draft?.text ?? edits.storedText(part, column);
  const has = fieldOf(part, column) !== null;
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of a grid takes the focus
      role="gridcell"
      className={classes.cell}
      tabIndex={isActive && !isEditing ? 0 : -1}
      data-cell={place}
      data-none={!has || undefined}
      data-problem={draft?.problem ? true : undefined}
      aria-readonly={!editable || !has || undefined}
      aria-busy={draft && !draft.problem && !isEditing ? true : undefined}
      aria-describedby={draft?.problem ? noteId : undefined}
      onFocus={(event) => event.target === event.currentTarget && onFocus()}
      onKeyDown={(event) => !isEditing && onKeyDown(event)}
      onDoubleClick={() => editable && has && !isEditing && edits.open(part, column)}
    >
      {isEditing ? (
        <CellInput
          text={text}
          label={`${t(`dates.columns.${column}`)}: ${partTitle(part, t)}`}
          noteId={draft?.problem ? noteId : undefined}
          onType={(typed) => edits.type(part, column, typed)}
          onSave={(down) => {
            if (edits.save(part, column, text) && down !== null) onDone(down);
          }}
          onCancel={() => {
            edits.cancel(part, column);
            onDone(false);
          }}
        />
      ) : (
        <span className={classes.text}>{text || (has ? "—" : "")}</span>
      )}
      {draft?.problem && (
        <span id={noteId} className={classes.problem} role="alert">
          {draft.problem}
        </span>
      )}
    </td>
  );
}

interface InputProps {
  text: string;
  label: string;
  noteId: string | undefined;
  onType: (text: string) => void;
  /** Enter goes down; leaving the field moves nothing. */
  onSave: (down: boolean | null) => void;
  onCancel: () => void;
}

function CellInput({ text, label, noteId, onType, onSave, onCancel }: InputProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  // Enter and Escape end the edit; the blur that follows must not do so again.
  const ended = useRef(false);
  useEffect(() => {
    input.current?.focus();
    // A digit that opened the field stays before the caret.
    if ((input.current?.value.length ?? 0) > 1) input.current?.select();
  }, []);
  return (
    <input
      ref={input}
      className={classes.input}
      aria-label={label}
      aria-describedby={noteId}
      aria-invalid={noteId ? true : undefined}
      placeholder={t("dates.field.placeholder")}
      autoComplete="off"
      value={text}
      onChange={(event) => {
        ended.current = false;
        onType(event.target.value);
      }}
      onBlur={() => {
        // Who only looks something up in another window goes on typing afterwards.
        if (!ended.current && document.hasFocus()) onSave(null);
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") {
          event.preventDefault();
          ended.current = true;
          onSave(true);
        } else if (event.key === "Escape") {
          event.preventDefault();
          ended.current = true;
          onCancel();
        }
      }}
    />
  );
}
