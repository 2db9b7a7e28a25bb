import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
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

export const theme = createTheme({
  colors: { green },
  primaryColor: "green",
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
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
  return { variables: {}, light: shared, dark: shared };
};

const stored = localStorageColorSchemeManager({ key: "theme" });

/** Light unless the reader chose dark; Mantine's third value, "auto", is not offered. */
export const colorScheme = {
  ...stored,
  get: () => (stored.get("light") === "dark" ? ("dark" as const) : ("light" as const)),
};
