import { createRoot } from "react-dom/client";
import { keepReturnPath } from "../api/returnPath";
import { loadTexts } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";

type Answer = "logOut" | "signUp" | "stay";

/** Asks whether a guest really wants to leave what they did, or to sign up instead. Resolves to whether to sign out. */
export async function askGuest(): Promise<boolean> {
  await loadTexts("join");
  const answer = await ask();
  if (answer === "signUp") {
    const { pathname, search, hash } = window.location;
    keepReturnPath(pathname + search + hash);
    // The question stands outside of the router.
    window.location.assign("/signup");
  }
  return answer === "logOut";
}

function ask(): Promise<Answer> {
  return new Promise((resolve) => {
    const host = document.body.appendChild(document.createElement("div"));
    const root = createRoot(host);
    const answer = (given: Answer) => {
      root.unmount();
      host.remove();
      resolve(given);
    };
    root.render(<Question onAnswer={answer} />);
  });
}

function Question({ onAnswer }: { onAnswer: (answer: Answer) => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={() => onAnswer("stay")}
      title={t("join.guest.logOut.title")}
      actions={
        <>
          <Button variant="default" onClick={() => onAnswer("logOut")}>
            {t("join.guest.logOut.confirm")}
          </Button>
          <Button onClick={() => onAnswer("signUp")} data-autofocus>
            {t("join.guest.signUp")}
          </Button>
        </>
      }
    >
      <p>{t("join.guest.logOut.text")}</p>
    </Dialog>
  );
}
