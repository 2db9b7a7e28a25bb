import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type { ru } from "./ru";
import { first } from "./ru/first";
import { typeset } from "./typography";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof ru };
  }
}

export const LANGUAGES = ["ru", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Where the choice is kept. */
const KEY = "language";

export const i18n = i18next;

/** Russian comes with the app; English is loaded when it is chosen. */
export async function startI18n() {
  await i18n.use(initReactI18next).init({
    lng: "ru",
    fallbackLng: "ru",
    resources: { ru: { translation: typeset(first) } },
    interpolation: { escapeValue: false },
  });
  i18n.on("languageChanged", (language) => {
    document.documentElement.lang = language;
  });
  if (localStorage.getItem(KEY) === "en") await setLanguage("en");
}

/** Russian words of a screen that few open: they come with its code. English has them all, once it is loaded. */
export function addWords(words: Partial<typeof ru>) {
  i18n.addResourceBundle("ru", "translation", typeset(words), true, true);
}

export async function setLanguage(language: Language) {
  if (language === "en" && !i18n.hasResourceBundle("en", "translation")) {
    const { en } = await import("./en");
    i18n.addResourceBundle("en", "translation", en);
  }
  localStorage.setItem(KEY, language);
  await i18n.changeLanguage(language);
}
