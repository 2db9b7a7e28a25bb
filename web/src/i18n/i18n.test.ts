import { beforeAll, describe, expect, test } from "vitest";
import { i18n, setLanguage, startI18n } from ".";
import { en } from "./en";
import { formatDateTime } from "./formatDateTime";
import { ru } from "./ru";
import { noBreaks, typeset } from "./typography";

beforeAll(startI18n);

/** Returns every text by its path; plural forms count as one text. */
function texts(words: object, path = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(words)) {
    const here = path ? `${path}.${key}` : key;
    if (typeof value === "string") found.set(here.replace(/_(zero|one|two|few|many|other)$/, "_*"), value);
    else for (const [inner, text] of texts(value, here)) found.set(inner, text);
  }
  return found;
}

describe("the two languages", () => {
  const russian = texts(ru);
  const english = texts(en);

  test("have the same texts", () => {
    expect([...english.keys()].sort()).toEqual([...russian.keys()].sort());
  });

  test("interpolate the same values", () => {
    const values = (text: string | undefined) =>
      [...(text ?? "").matchAll(/\{\{\s*(\w+)/g)].map((m) => m[1]).sort();
    for (const [key, text] of russian) expect(values(english.get(key)), key).toEqual(values(text));
  });

  test("have all required plural forms", () => {
    for (const [language, words] of [
      ["ru", ru],
      ["en", en],
    ] as const) {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const plurals = Object.keys(words.common).filter((key) => /_other$/.test(key));
      expect(plurals.length).toBeGreaterThan(0);
      for (const key of plurals) {
        for (const form of forms) expect(words.common).toHaveProperty(key.replace(/_other$/, `_${form}`));
      }
    }
  });

  test("the English texts contain no Cyrillic", () => {
    for (const [key, text] of english) {
      if (key === "common.language.ru") continue;
      expect(text, key).not.toMatch(/[а-яё]/i);
    }
  });
});

describe("plural forms", () => {
  test.each([
    [0, "0 страниц"],
    [1, "1 страница"],
    [3, "3 страницы"],
    [5, "5 страниц"],
    [11, "11 страниц"],
    [21, "21 страница"],
    [112, "112 страниц"],
  ])("%i pages in Russian", (count, text) => {
    expect(i18n.t("common.pages", { count }).replaceAll("\u00a0", " ")).toBe(text);
  });

  test("uses the genitive after «из»", () => {
    const of = (done: number, count: number) =>
      i18n.t("common.pagesOf", { done, count }).replaceAll("\u00a0", " ");
    expect(of(0, 1)).toBe("0 из 1 страницы");
    expect(of(1, 21)).toBe("1 из 21 страницы");
    expect(of(3, 104)).toBe("3 из 104 страниц");
  });

  test("works in English and after switching back", async () => {
    await setLanguage("en");
    expect(i18n.t("common.pages", { count: 1 })).toBe("1 page");
    expect(i18n.t("common.pages", { count: 4000 })).toBe("4,000 pages");
    await setLanguage("ru");
    expect(i18n.t("common.pages", { count: 2 })).toContain("страницы");
  });
});

describe("typography", () => {
  const nbsp = "\u00a0";
  test.each([
    ["Kurso — курсы", `Kurso${nbsp}— курсы`],
    ["Вход в аккаунт", `Вход в${nbsp}аккаунт`],
    ["и у нас", `и${nbsp}у${nbsp}нас`],
    ["В начале", `В${nbsp}начале`],
    ["{{count, number}} страниц", `{{count, number}}${nbsp}страниц`],
    ["{{percent}} %", `{{percent}}${nbsp}%`],
    ["Пароли не совпадают", "Пароли не совпадают"],
  ])("%j", (text, set) => expect(noBreaks(text)).toBe(set));

  test("applies to every text of a tree", () => {
    expect(typeset({ a: ["б в г"], c: { d: "с е" } })).toEqual({ a: [`б в${nbsp}г`], c: { d: `с${nbsp}е` } });
  });
});

describe("dates", () => {
  const now = new Date(2026, 10, 21, 12, 0);
  const say = (date: Date, language = "ru") => formatDateTime(date.toISOString(), now, language, i18n.t);
  test.each([
    [new Date(2026, 10, 21, 9, 5), "сегодня в 09:05"],
    [new Date(2026, 10, 20, 23, 59), "вчера в 23:59"],
    [new Date(2026, 10, 19, 8, 0), "19 ноября"],
    [new Date(2025, 11, 31, 8, 0), "31 декабря 2025 г."],
  ])("%s", (date, text) => expect(say(date).replaceAll("\u00a0", " ")).toBe(text));
});
