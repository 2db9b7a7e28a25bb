import { type ComponentProps, useRef } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Field } from "../ui/Field";
import { IconButton } from "../ui/IconButton";
import { splitFieldProps, type TextField } from "../ui/TextField";
import { IconCalendar } from "../ui/timeIcons";
import classes from "./DateField.module.css";
import { parseTyped, shownLocal } from "./typed";

interface Props extends Omit<ComponentProps<typeof TextField>, "startIcon"> {
  /** Called with the text that choosing a day in the calendar makes. */
  onPick: (text: string) => void;
  /** The text of the field. */
  text: string;
}

/** A text field for a day and a time, with the browser's calendar beside it. */
export function DateField({ onPick, text, ...props }: Props) {
  const { t, i18n } = useTranslation();
  const [field, input] = splitFieldProps(props);
  const calendar = useRef<HTMLInputElement>(null);
  const typed = parseTyped(text, new Date());
  const button = (
    <span className={classes.picker}>
      <input
        ref={calendar}
        type="date"
        className={classes.calendar}
        tabIndex={-1}
        aria-hidden="true"
        value={typed?.slice(0, 10) ?? ""}
        onChange={(event) => {
          const time = typed?.split("T")[1];
          const day = event.target.value;
          if (day) onPick(shownLocal(time ? `${day}T${time}` : day, i18n.language));
        }}
      />
      <IconButton
        aria-label={t("dates.field.calendar", { label: String(field.label ?? "") })}
        onClick={() => calendar.current?.showPicker?.()}
      >
        <IconCalendar size={18} />
      </IconButton>
    </span>
  );
  return (
    <Field {...field} end={button}>
      {(given) => (
        <input autoComplete="off" placeholder={t("dates.field.placeholder")} {...input} {...given} />
      )}
    </Field>
  );
}

/** The rule of a typed date; an empty field has none. */
export function dateProblem(text: string) {
  return text.trim() === "" || parseTyped(text, new Date()) ? null : "dates.field.unreadable";
}
