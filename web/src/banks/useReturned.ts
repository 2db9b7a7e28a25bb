import { useEffect } from "react";
import { useTranslation } from "../i18n/useTranslation";
import { toastSuccess } from "../ui/toasts";

/** Tells that a text which an earlier visit left is back in its fields. */
export function useReturned(isReturned: boolean): void {
  const { t } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once
  useEffect(() => {
    if (isReturned) toastSuccess(t("banks.question.returned"));
  }, []);
}
