import { useMantineColorScheme } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { LANGUAGES, type Language, setLanguage } from "../i18n";
import { Choice } from "../ui/Choice";
import { Section } from "../ui/Section";

/** Theme and language, of this browser. */
export function Appearance() {
  const { t, i18n } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title={t("settings.appearance.heading")} text={t("settings.appearance.text")}>
      <Choice
        label={t("settings.appearance.theme")}
        value={colorScheme === "dark" ? "dark" : "light"}
        options={[
          { value: "light", label: t("settings.appearance.light") },
          { value: "dark", label: t("settings.appearance.dark") },
        ]}
        onChange={setColorScheme}
      />
      <Choice<Language>
        label={t("common.language.label")}
        value={i18n.language === "en" ? "en" : "ru"}
        options={LANGUAGES.map((language) => ({
          value: language,
          label: t(`common.language.${language}`),
          lang: language,
        }))}
        onChange={(language) => void setLanguage(language)}
      />
    </Section>
  );
}
