import { useTranslation } from "react-i18next";
import { LANGUAGES, setLanguage } from "../i18n";
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
          onClick={() => void setLanguage(language)}
        >
          {language}
        </button>
      ))}
    </fieldset>
  );
}
