import { useState } from "react";
import { DateField } from "../dates/DateField";
import { parseTyped, shownLocal } from "../dates/typed";
import { useTranslation } from "../i18n/useTranslation";

/** A typed start of the course: a local time, null for none, and undefined for a text that is no date. */
export type Start = string | null | undefined;

interface Props {
  className: string | undefined;
  /** The start that the server knows. */
  given: string | null;
  disabled: boolean;
  /** Whether to say that the text is no date. */
  isRefused: boolean;
  onChange: (start: Start) => void;
}

/** The field for the day on which an imported course starts. */
export function StartField({ className, given, disabled, isRefused, onChange }: Props) {
  const { t, i18n } = useTranslation();
  const [text, setText] = useState(given === null ? "" : shownLocal(given, i18n.language));
  const change = (text: string) => {
    setText(text);
    onChange(text.trim() === "" ? null : (parseTyped(text, new Date()) ?? undefined));
  };
  return (
    <DateField
      label={t("imports.start")}
      description={t("imports.startHint")}
      className={className}
      text={text}
      value={text}
      disabled={disabled}
      onChange={(event) => change(event.target.value)}
      onPick={change}
      error={isRefused && t("dates.field.unreadable")}
    />
  );
}
