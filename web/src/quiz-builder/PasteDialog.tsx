import { useEffect, useEffectEvent, useId } from "react";
import { LoadFailure } from "../errors/LoadFailure";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextArea } from "../ui/TextArea";
import { missingInQuestion } from "./completeness";
import type { AuthorQuestion } from "./model";
import classes from "./PasteDialog.module.css";
import { usePastedQuestions } from "./usePastedQuestions";

/** The longest report that is shown. */
const SHOWN = 10;

interface PasteDialogProps {
  /** Where the questions go: the id of a page or of a bank. */
  subject: string;
  /** The text that the field has at first. */
  initialText: string;
  /** Stores the questions before `onAdd`; the text stays when it fails. */
  save?: (questions: AuthorQuestion[]) => Promise<void>;
  onAdd: (questions: AuthorQuestion[]) => void;
  onClose: () => void;
}

/** Makes questions of pasted text. */
export function PasteDialog({ subject, initialText, save, onAdd, onClose }: PasteDialogProps) {
  const { t } = useTranslation();
  const formId = useId();
  const form = useGuardedForm({
    name: "pasted-questions",
    subject,
    defaultValues: { text: "" },
    save: async () => {
      await save?.(questions);
      return questions;
    },
    onSaved: onAdd,
    isOnce: save !== undefined,
  });
  // Marks the text as typed, so that closing the dialog asks before it is lost.
  const takeInitialText = useEffectEvent(() => {
    if (initialText) form.setValue("text", initialText, { shouldDirty: true });
  });
  useEffect(() => takeInitialText(), []);
  const text = form.watch("text");
  const { questions, report, isReading, error, retry } = usePastedQuestions(text);
  const unanswered = questions.filter(
    (question) => "options" in question && missingInQuestion(question).length > 0,
  ).length;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("quizBuilder.paste.title")}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button type="submit" form={formId} loading={form.isBusy} disabled={questions.length === 0}>
            {t("quizBuilder.paste.add", { count: questions.length })}
          </Button>
        </>
      }
    >
      <form id={formId} {...form.props}>
        <TextArea
          label={t("quizBuilder.paste.text")}
          description={t("quizBuilder.paste.hint")}
          rows={12}
          data-autofocus
          placeholder={t("quizBuilder.paste.example")}
          {...form.field("text")}
        />
      </form>
      {error && <LoadFailure error={error} retry={retry} heading="p" />}
      <p role="status">
        {isReading
          ? t("quizBuilder.paste.reading")
          : text.trim() !== "" && !error && t("quizBuilder.paste.found", { count: questions.length })}
        {unanswered > 0 && ` ${t("quizBuilder.paste.unanswered", { count: unanswered })}`}
      </p>
      {report.length > 0 && (
        <ul className={classes.report}>
          {report.slice(0, SHOWN).map(({ where, what, why }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines may be equal, and have no state
            <li key={index}>
              {where === ""
                ? t("quizBuilder.paste.lost", { what, why })
                : t("quizBuilder.paste.lostAt", { line: where, what, why })}
            </li>
          ))}
          {report.length > SHOWN && (
            <li>{t("quizBuilder.paste.furtherLost", { count: report.length - SHOWN })}</li>
          )}
        </ul>
      )}
    </Dialog>
  );
}
