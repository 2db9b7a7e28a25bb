import { useEffect, useRef } from "react";
import { useTranslation } from "../../i18n/useTranslation";
import { TITLE_MAX } from "../../limits.generated";
import type { EditSession, EditState } from "../EditSession";
import { useEditSession } from "../useEditSession";
import styles from "./Frame.module.css";

const chooseTitle = ({ title }: EditState) => ({ title });

interface Props {
  session: EditSession;
  /** The page's number within its lesson, shown while it has no title. */
  number: number;
  autoFocus: boolean;
}

/** The title of an open page; Enter and the down arrow lead into its text. */
export function TitleField({ session, number, autoFocus }: Props) {
  const { t } = useTranslation();
  const { title } = useEditSession(session, chooseTitle);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  return (
    <textarea
      ref={field}
      className={styles.title}
      rows={1}
      maxLength={TITLE_MAX}
      aria-label={t("editor.title")}
      placeholder={t("reading.untitledPage", { number })}
      value={title}
      onChange={(event) => session.setTitle(event.currentTarget.value.replaceAll("\n", " "))}
      onBlur={session.save}
      onKeyDown={(event) => {
        const down = event.key === "ArrowDown" && event.currentTarget.selectionEnd === title.length;
        if ((event.key !== "Enter" && !down) || event.nativeEvent.isComposing) return;
        event.preventDefault();
        session.focusText();
      }}
    />
  );
}
