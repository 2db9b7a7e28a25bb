import { createRoot } from "react-dom/client";
import { loadTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

/** Asks whether unsaved text may be lost. Rejects when the texts of the question cannot be loaded. */
export async function askToDiscard(): Promise<boolean> {
  await loadTexts("forms");
  return new Promise((resolve) => {
    // A root of its own, so that no screen has to render a place for the question at its first load.
    const host = document.body.appendChild(document.createElement("div"));
    const root = createRoot(host);
    const answer = (discard: boolean) => {
      root.unmount();
      host.remove();
      resolve(discard);
    };
    root.render(<Question onAnswer={answer} />);
  });
}

function Question({ onAnswer }: { onAnswer: (discard: boolean) => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={() => onAnswer(false)}
      title={t("forms.unsaved.title")}
      actions={
        <>
          <Button variant="default" onClick={() => onAnswer(true)}>
            {t("forms.unsaved.discard")}
          </Button>
          <Button onClick={() => onAnswer(false)} data-autofocus>
            {t("forms.unsaved.stay")}
          </Button>
        </>
      }
    >
      <p>{t("forms.unsaved.text")}</p>
    </Dialog>
  );
}
