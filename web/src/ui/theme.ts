import { createStore, useSelector } from "@tanstack/react-store";

export type Theme = "light" | "dark";

/** `--k-bg` of each theme, for the browser's toolbar; the HTML pages have the same values. */
export const BAR = { light: "#fbfaf8", dark: "#181715" };

/** The key in local storage; the HTML pages read it before the first paint. */
const KEY = "theme";

const store = createStore<Theme>(storedTheme());

/** Returns the theme in local storage; light by default. */
export function storedTheme(): Theme {
  return localStorage.getItem(KEY) === "dark" ? "dark" : "light";
}

/** Applies a theme and stores the choice. */
export function setTheme(theme: Theme) {
  localStorage.setItem(KEY, theme);
  show(theme);
}

export function useTheme(): Theme {
  return useSelector(store);
}

function show(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", BAR[theme]);
  store.setState(() => theme);
}

/** Applies the theme that another tab of this browser chooses, on every screen. Call once at the start. */
export function followOtherTabs() {
  window.addEventListener("storage", ({ key }) => {
    if (key === KEY) show(storedTheme());
  });
}
