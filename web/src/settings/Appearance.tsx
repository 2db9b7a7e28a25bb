import { LANGUAGES, type Language, setLanguage } from "../i18n";
import { useTranslation } from "../i18n/useTranslation";
import { RadioGroup } from "../ui/RadioGroup";
import { Section } from "../ui/Section";
import { setTheme, useTheme } from "../ui/theme";
import { toastFailure } from "../ui/toasts";

/** The theme and the language of this browser. */
export function Appearance() {
  const { t, i18n } = useTranslation();
  const theme = useTheme();
  return (
    <Section title={t("settings.appearance.heading")} text={t("settings.appearance.text")}>
      <RadioGroup
        label={t("settings.appearance.theme")}
        value={theme}
        options={[
          { value: "light", label: t("settings.appearance.light") },
          { value: "dark", label: t("settings.appearance.dark") },
        ]}
        onChange={setTheme}
      />
      <RadioGroup<Language>
        label={t("common.language.label")}
        value={i18n.language === "en" ? "en" : "ru"}
        options={LANGUAGES.map((language) => ({
          value: language,
          label: t(`common.language.${language}`),
          lang: language,
        }))}
        onChange={(language) => setLanguage(language).catch(toastFailure)}
      />
    </Section>
  );
}
