import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { copyText } from "./copyText";
import { showToast } from "./toasts";

const CONFIRMED_FOR_MS = 2000;

/** Copies a text; `copied` is true for two seconds afterwards. A failure is shown as a toast. */
export function useCopy(text: string) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_FOR_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else showToast({ kind: "failure", title: t("errors.toastFailure"), text: t("content.copy.failed") });
  };
  return { copied, copy: () => void copy() };
}
