import { beforeAll, expect, test } from "vitest";
import { i18n, setLanguage } from "../../i18n";
import { startI18n } from "../../testing/startI18n";
import { durationText } from "./durationText";

beforeAll(startI18n);

const say = (seconds: number) => durationText(seconds, i18n.t).replaceAll("\u00a0", " ");

test.each([
  [10, "10 секунд"],
  [60, "1 минута"],
  [90, "1 минута 30 секунд"],
  [1200, "20 минут"],
  [5400, "1 час 30 минут"],
  [86_400, "24 часа"],
])("%i seconds", (seconds, text) => expect(say(seconds)).toBe(text));

test("in English", async () => {
  await setLanguage("en");
  expect(say(3660)).toBe("1 hour 1 minute");
  await setLanguage("ru");
});
