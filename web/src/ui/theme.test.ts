import { afterEach, expect, test } from "vitest";
import { colorScheme } from "./theme";

afterEach(() => localStorage.clear());

test("is light when nothing is stored, or nothing that is known", () => {
  expect(colorScheme.get()).toBe("light");
  localStorage.setItem("theme", "auto");
  expect(colorScheme.get()).toBe("light");
});

test("is stored under the key theme", () => {
  colorScheme.set("dark");
  expect(localStorage.getItem("theme")).toBe("dark");
  expect(colorScheme.get()).toBe("dark");
  colorScheme.set("light");
  expect(localStorage.getItem("theme")).toBe("light");
});
