import { useEffect } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { toastSuccess } from "../ui/toasts";

/** Shows a toast when unsaved text of an earlier visit is back in its fields. */
export function useReturned(isReturned: boolean): void {
  const { t } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once
  useEffect(() => {
    if (isReturned) toastSuccess(t("banks.question.returned"));
  }, []);
}
