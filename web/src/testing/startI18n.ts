import { i18n, loadTexts, startI18n as start } from "../i18n";
import { ru } from "../i18n/ru";

/** Starts i18next with the texts of all screens, because components under test have no route that loads them. */
export async function startI18n() {
  await start();
  const missing = Object.keys(ru).filter((name) => !i18n.hasResourceBundle("ru", name));
  await loadTexts(...(missing as (keyof typeof ru)[]));
}
