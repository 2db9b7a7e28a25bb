import { useId } from "react";
import { isFilledDocument } from "../content/filled";
import { useTranslation } from "../i18n/useTranslation";
import { HandedIn } from "../quiz/HandedIn";
import { Button } from "../ui/Button";
import { offerUndo } from "../ui/undo";
import type { DraftText } from "./draftText";
import classes from "./Untaken.module.css";

interface UntakenProps {
  /** The part of the draft that the assignment does not take any more. */
  rest: DraftText;
  disabled: boolean;
  onChange: (part: Partial<DraftText>) => void;
}

/** What a draft has and its assignment does not take any more. It can be read and removed; it is not handed in. */
export function Untaken({ rest, disabled, onChange }: UntakenProps) {
  const { t } = useTranslation();
  const id = useId();
  const parts: Partial<DraftText> = {
    ...(isFilledDocument(rest.content) && { content: rest.content }),
    ...(rest.files.length > 0 && { files: rest.files }),
    ...(rest.links.length > 0 && { links: rest.links }),
  };
  const remove = (button: HTMLElement) => {
    // This section goes with its text, so the focus moves to the form's heading.
    button.closest("form")?.querySelector<HTMLElement>("[data-form]")?.focus();
    onChange({
      ...("content" in parts && { content: null }),
      ...(parts.files && { files: [] }),
      ...(parts.links && { links: [] }),
    });
    offerUndo(t("assignment.untaken.removed"), () => onChange(parts));
  };
  return (
    <section className={classes.untaken} aria-labelledby={id}>
      <h3 id={id}>{t("assignment.untaken.title")}</h3>
      <p>{t("assignment.untaken.text")}</p>
      <HandedIn answer={rest} />
      <Button variant="default" disabled={disabled} onClick={(event) => remove(event.currentTarget)}>
        {t("assignment.untaken.remove")}
      </Button>
    </section>
  );
}
