import type { i18n as I18n, TFunction } from "i18next";
import { useMemo, useSyncExternalStore } from "react";
import { i18n } from ".";

/**
 * Returns the translate function and i18next; components render again when the language changes. Replaces react-i18next, whose
 * namespaces per component, suspense and markup components are not needed here.
 */
export function useTranslation(): { t: TFunction; i18n: I18n } {
  const language = useSyncExternalStore(subscribe, currentLanguage);
  // A new function for each language, so that values memoised with it are recomputed.
  return useMemo(() => ({ t: i18n.getFixedT(language), i18n }), [language]);
}

const currentLanguage = () => i18n.language;

function subscribe(listener: () => void) {
  i18n.on("languageChanged", listener);
  return () => i18n.off("languageChanged", listener);
}
