import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  localStorageColorSchemeManager,
  type MantineColorScheme,
  type MantineColorsTuple,
} from "@mantine/core";

const green: MantineColorsTuple = [
  "#eef6f2",
  "#dcece4",
  "#b9dac9",
  "#97d8bc",
  "#7cc9a9",
  "#4ea383",
  "#2c8265",
  "#1c6a52",
  "#155642",
  "#0f4434",
];

// Mantine draws fields, disabled buttons and the like from these two; cold greys would not fit the paper.
const gray: MantineColorsTuple = [
  "#f7f5f1",
  "#f0ede7",
  "#e4e0d8",
  "#d6d1c6",
  "#c4bdb0",
  "#a39c8e",
  "#827b6e",
  "#686256",
  "#45413a",
  "#24221e",
];
const dark: MantineColorsTuple = [
  "#ece9e2",
  "#c9c4b9",
  "#a8a296",
  "#7d776b",
  "#514d46",
  "#34322d",
  "#232220",
  "#181715",
  "#131210",
  "#0d0c0b",
];

/** Filled means our accent with the text that is legible on it, in both themes. */
const variantColorResolver: typeof defaultVariantColorsResolver = (input) =>
  input.variant === "filled"
    ? {
        background: "var(--k-accent)",
        hover: "var(--k-accent-hover)",
        color: "var(--k-on-accent)",
        border: "1px solid transparent",
      }
    : defaultVariantColorsResolver(input);

export const theme = createTheme({
  colors: { green, gray, dark },
  primaryColor: "green",
  primaryShade: { light: 7, dark: 4 },
  variantColorResolver,
  fontFamily: "var(--k-font)",
  fontFamilyMonospace: "var(--k-mono)",
  headings: { fontFamily: "var(--k-font)", fontWeight: "650" },
  defaultRadius: "var(--k-radius-small)",
  cursorType: "pointer",
  respectReducedMotion: true,
  focusRing: "auto",
});

/** Mantine's own colours follow the tokens, so its components and ours never differ. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    "--mantine-color-body": "var(--k-bg)",
    "--mantine-color-text": "var(--k-text)",
    "--mantine-color-dimmed": "var(--k-dim)",
    "--mantine-color-default": "var(--k-raised)",
    "--mantine-color-default-hover": "var(--k-hover)",
    "--mantine-color-default-color": "var(--k-text)",
    "--mantine-color-default-border": "var(--k-line)",
    "--mantine-color-placeholder": "var(--k-dim)",
    "--mantine-color-error": "var(--k-danger)",
    "--mantine-color-anchor": "var(--k-accent)",
  };
  // In a dialog a button that is not ready yet is still one, whatever the paper below it.
  const dark = { ...shared, "--mantine-color-disabled": "var(--k-track)" };
  return { variables: {}, light: shared, dark };
};

/** The browser's own bar goes with the page: `--k-bg` of each theme, as in index.html. */
export const BAR = { light: "#fbfaf8", dark: "#181715" };

const stored = localStorageColorSchemeManager({ key: "theme" });

/** Light unless the reader chose dark; Mantine's third value, "auto", is not offered. */
export const colorScheme = {
  ...stored,
  get: () => (stored.get("light") === "dark" ? ("dark" as const) : ("light" as const)),
  set: (scheme: MantineColorScheme) => {
    stored.set(scheme);
    document
      .querySelector("meta[name=theme-color]")
      ?.setAttribute("content", BAR[scheme === "dark" ? "dark" : "light"]);
  },
};
