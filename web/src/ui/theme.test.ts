import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { BAR, followOtherTabs, setTheme, storedTheme } from "./theme";

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

// The scripts of the pages run before anything is loaded, so they can import neither the key nor the colours.
test.each(["index", "graphiql", "api-docs"])(
  "%s.html shows the stored theme before the first paint",
  (name) => {
    const html = readFileSync(resolve(import.meta.dirname, `../../${name}.html`), "utf8");
    expect(html).toContain(`<meta name="theme-color" content="${BAR.light}" />`);
    const [, script = ""] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    expect(script).toContain(`if (localStorage.getItem("theme") === "dark")`);
    expect(script).toContain(`dataset.theme = "dark"`);
    expect(script).toContain(`document.querySelector("meta[name=theme-color]").content = "${BAR.dark}"`);
  },
);
