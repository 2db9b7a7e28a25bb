import { LANGUAGES, setLanguage } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { toastFailure } from "../ui/toasts";
import classes from "./controls.module.css";

export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <fieldset className={classes.languages} aria-label={t("common.language.label")}>
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          className={classes.language}
          aria-pressed={i18n.language === language}
          aria-label={`${language} ${t(`common.language.${language}`)}`}
          onClick={() => setLanguage(language).catch(toastFailure)}
        >
          {language}
        </button>
      ))}
    </fieldset>
  );
}
