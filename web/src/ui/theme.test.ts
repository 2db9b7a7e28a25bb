import { afterEach, expect, test } from "vitest";
import { followOtherTabs, setTheme, storedTheme } from "./theme";

afterEach(() => localStorage.clear());

test("the theme is light when nothing, or an unknown value, is stored", () => {
  expect(storedTheme()).toBe("light");
  localStorage.setItem("theme", "auto");
  expect(storedTheme()).toBe("light");
});

test("setting the theme shows it and stores it under the key theme", () => {
  setTheme("dark");
  expect(localStorage.getItem("theme")).toBe("dark");
  expect(document.documentElement.dataset.theme).toBe("dark");
  expect(storedTheme()).toBe("dark");
  setTheme("light");
  expect(localStorage.getItem("theme")).toBe("light");
});

test("a theme chosen in another tab is shown", () => {
  followOtherTabs();
  localStorage.setItem("theme", "dark");
  window.dispatchEvent(new StorageEvent("storage", { key: "theme" }));
  expect(document.documentElement.dataset.theme).toBe("dark");
});
