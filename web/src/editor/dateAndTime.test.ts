import { beforeAll, expect, test } from "vitest";
import { i18n, setLanguage } from "../i18n";
import { startI18n } from "../testing/startI18n";
import { dateAndTime } from "./dateAndTime";

beforeAll(startI18n);

test("the time of today is written once, also without a leading zero", async () => {
  const early = new Date();
  early.setHours(4, 49);
  const times = (language: string) => dateAndTime(early.toISOString(), language, i18n.t).match(/\d:\d\d/g);
  expect(times("ru")).toHaveLength(1);
  await setLanguage("en");
  expect(times("en")).toHaveLength(1);
});

test("a day that is neither today nor yesterday has its time", () => {
  expect(dateAndTime(new Date(2020, 4, 7, 14, 5).toISOString(), "ru", i18n.t)).toMatch(/2020.*, 14:05$/);
});
