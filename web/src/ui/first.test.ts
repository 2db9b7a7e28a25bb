import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { en } from "../i18n/en";
import { ru } from "../i18n/ru";

const index = readFileSync(resolve(import.meta.dirname, "../../index.html"), "utf8");

/** Returns the texts of the skeleton in index.html. */
function skeletonTexts(language: string): string[] {
  return [...index.matchAll(new RegExp(`<span lang="${language}">([^<]*)</span>`, "g"))].map(
    ([, text = ""]) => text,
  );
}

test.each([
  ["ru", ru],
  ["en", en],
] as const)("the skeleton in index.html has the texts of the screens (%s)", (language, words) => {
  expect(skeletonTexts(language)).toEqual([words.auth.login.title, words.auth.login.lead, words.home.title]);
});
