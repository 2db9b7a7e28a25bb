import i18next from "i18next";
import type { ru } from "./ru";
import { typeset } from "./typography";

declare module "i18next" {
  interface CustomTypeOptions {
    // Keys begin with the namespace («home.title»), so in the types all namespaces form one tree.
    defaultNS: "translation";
    resources: { translation: typeof ru };
  }
}

export const LANGUAGES = ["ru", "en"] as const;
export type Language = (typeof LANGUAGES)[number];
type Namespace = keyof typeof ru;
/** A file of texts. `first` contains the namespaces that every screen and the reading screen need. */
type Bundle = Namespace | "first";
type Texts = Record<string, object>;

/** The local storage key of the chosen language; index.html reads it too. */
const KEY = "language";

const FIRST = ["common", "content", "course", "errors", "reading", "shell", "ui"];
const BUNDLES = import.meta.glob<Texts>([
  "./{ru,en}/*.ts",
  // These are parts of `first`.
  "!./*/{index,common,content,course,errors,reading,shell,ui}.ts",
]);
const NAMESPACES = [
  ...FIRST,
  ...Object.keys(BUNDLES).flatMap((path) => /^\.\/ru\/(\w+)\.ts$/.exec(path)?.[1] ?? []),
];

/** The bundles requested so far; a change of the language loads all of them. */
const wanted = new Set<Bundle>(["first"]);
const loaded = new Set<string>();

export const i18n = i18next;

/** Loads the first texts in the chosen language; in Russian when the English ones cannot be loaded. */
export async function startI18n() {
  await i18n.init({
    lng: "ru",
    fallbackLng: false,
    ns: NAMESPACES,
    defaultNS: "common",
    nsSeparator: ".",
    resources: {},
    interpolation: { escapeValue: false },
  });
  i18n.on("languageChanged", (language) => {
    document.documentElement.lang = language;
  });
  const chosen = localStorage.getItem(KEY) === "en" ? "en" : "ru";
  try {
    await show(chosen);
  } catch (error) {
    if (chosen === "ru") throw error;
    await show("ru");
  }
}

/** Loads the texts of a screen in the current language; rejects when they cannot be loaded. */
export async function loadTexts(...names: Namespace[]): Promise<void> {
  for (const name of names) wanted.add(name);
  // Repeats when the language changes during loading.
  for (let missing = names; missing.length > 0; ) {
    const language = currentLanguage();
    await load(language, missing);
    missing = names.filter((name) => !loaded.has(`${currentLanguage()}/${name}`));
  }
}

/** Loads a module together with the texts that it shows; for `lazy`. */
export async function withTexts<M>(module: Promise<M>, ...names: Namespace[]): Promise<M> {
  const [result] = await Promise.all([module, loadTexts(...names)]);
  return result;
}

/** Changes the language and stores the choice; rejects, and changes nothing, when the texts cannot be loaded. */
export async function setLanguage(language: Language) {
  await show(language);
  localStorage.setItem(KEY, language);
}

async function show(language: Language) {
  // Repeats when a screen requests texts during loading.
  for (let missing = [...wanted]; missing.length > 0; ) {
    await load(language, missing);
    missing = [...wanted].filter((name) => !loaded.has(`${language}/${name}`));
  }
  await i18n.changeLanguage(language);
}

async function load(language: Language, names: readonly Bundle[]) {
  await Promise.all(
    names.map(async (name) => {
      const bundle = `${language}/${name}`;
      if (loaded.has(bundle)) return;
      const words = await BUNDLES[`./${bundle}.ts`]?.();
      for (const [namespace, texts] of Object.entries(words ?? {})) {
        i18n.addResourceBundle(language, namespace, language === "ru" ? typeset(texts) : texts);
      }
      loaded.add(bundle);
    }),
  );
}

function currentLanguage(): Language {
  return i18n.language === "en" ? "en" : "ru";
}
