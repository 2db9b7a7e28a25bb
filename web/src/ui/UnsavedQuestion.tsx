import { createRoot } from "react-dom/client";
import { loadTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import type { Unsaved } from "./unsaved";

/** Asks whether unsaved text may be lost, or whether an upload may be broken off. Rejects when the texts of the question cannot be loaded. */
export async function askToDiscard(unsaved: readonly Unsaved[]): Promise<boolean> {
  await loadTexts("forms");
  const isUpload = unsaved.every((one) => one.isUpload);
  return new Promise((resolve) => {
    // A root of its own, so that no screen has to render a place for the question at its first load.
    const host = document.body.appendChild(document.createElement("div"));
    const root = createRoot(host);
    const answer = (discard: boolean) => {
      root.unmount();
      host.remove();
      resolve(discard);
    };
    root.render(<Question isUpload={isUpload} onAnswer={answer} />);
  });
}

interface QuestionProps {
  isUpload: boolean;
  onAnswer: (discard: boolean) => void;
}

function Question({ isUpload, onAnswer }: QuestionProps) {
  const { t } = useTranslation();
  const about = isUpload ? "uploading" : "unsaved";
  return (
    <Dialog
      open
      onClose={() => onAnswer(false)}
      title={t(`forms.${about}.title`)}
      actions={
        <>
          <Button variant="default" onClick={() => onAnswer(true)}>
            {t(`forms.${about}.discard`)}
          </Button>
          <Button onClick={() => onAnswer(false)} data-autofocus>
            {t(`forms.${about}.stay`)}
          </Button>
        </>
      }
    >
      <p>{t(`forms.${about}.text`)}</p>
    </Dialog>
  );
}
