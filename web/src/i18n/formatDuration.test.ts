import { expect, test } from "vitest";
import { formatDuration } from "./formatDuration";

const plain = (seconds: number, language = "ru") => formatDuration(seconds, language).replace(/\s/g, " ");

test.each([
  [0, "0 с"],
  [7.5, "7,5 с"],
  [9.96, "10 с"],
  [45.4, "45 с"],
  [59.7, "1 мин"],
  [80, "1 мин 20 с"],
  [3600, "1 ч"],
  [3905, "1 ч 5 мин"],
  [86_400, "24 ч"],
])("%d seconds are «%s»", (seconds, text) => expect(plain(seconds)).toBe(text));

test("the units are those of the language", () => {
  expect(plain(80, "en")).toBe("1 min 20 sec");
});
