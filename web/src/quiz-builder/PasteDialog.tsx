import { useId, useMemo } from "react";
import { useGuardedForm } from "../forms/useGuardedForm";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextArea } from "../ui/TextArea";
import { missingInQuestion } from "./completeness";
import type { AuthorQuestion } from "./model";
import { readQuestions } from "./pastedQuestions";

interface PasteDialogProps {
  pageId: string;
  onAdd: (questions: AuthorQuestion[]) => void;
  onClose: () => void;
}

/** Makes questions of pasted text. */
export function PasteDialog({ pageId, onAdd, onClose }: PasteDialogProps) {
  const { t } = useTranslation();
  const formId = useId();
  const form = useGuardedForm({
    name: "pasted-questions",
    subject: pageId,
    defaultValues: { text: "" },
    save: ({ text }) => readQuestions(text),
    onSaved: onAdd,
  });
  const text = form.watch("text");
  const questions = useMemo(() => readQuestions(text), [text]);
  const unanswered = questions.filter((question) => missingInQuestion(question).length > 0).length;
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
          <Button type="submit" form={formId} disabled={questions.length === 0}>
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
      <p role="status">
        {text.trim() !== "" && t("quizBuilder.paste.found", { count: questions.length })}
        {unanswered > 0 && ` ${t("quizBuilder.paste.unanswered", { count: unanswered })}`}
      </p>
    </Dialog>
  );
}
