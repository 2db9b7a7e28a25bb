import { beforeAll, expect, test } from "vitest";
import { startI18n } from "../testing/startI18n";
import { i18n, setLanguage } from ".";
import { formatDateTime } from "./formatDateTime";

beforeAll(startI18n);

const [now, earlier] = [new Date(2026, 0, 5, 9), new Date(2026, 0, 5, 4, 49).toISOString()];

test("a Russian time has two digits for the hour, an English one no leading zero", async () => {
  expect(formatDateTime(earlier, now, "ru", i18n.t)).toMatch(/\b04:49$/);
  await setLanguage("en");
  expect(formatDateTime(earlier, now, "en", i18n.t)).toMatch(/\s4:49\sAM$/);
});
