import { useMemo, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextArea } from "../ui/TextArea";
import { missingInQuestion } from "./completeness";
import type { AuthorQuestion } from "./model";
import { readQuestions } from "./pastedQuestions";

interface PasteDialogProps {
  onAdd: (questions: AuthorQuestion[]) => void;
  onClose: () => void;
}

/** Makes questions of pasted text. */
export function PasteDialog({ onAdd, onClose }: PasteDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
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
          <Button disabled={questions.length === 0} onClick={() => onAdd(questions)}>
            {t("quizBuilder.paste.add", { count: questions.length })}
          </Button>
        </>
      }
    >
      <TextArea
        label={t("quizBuilder.paste.text")}
        description={t("quizBuilder.paste.hint")}
        rows={12}
        data-autofocus
        value={text}
        placeholder={t("quizBuilder.paste.example")}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <p role="status">
        {text.trim() !== "" && t("quizBuilder.paste.found", { count: questions.length })}
        {unanswered > 0 && ` ${t("quizBuilder.paste.unanswered", { count: unanswered })}`}
      </p>
    </Dialog>
  );
}
