import { readFile, writeFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { contrast } from "./contrast";
import { BAR } from "./theme";

// Computes the contrast table of docs/design-language.md from the theme file. UPDATE_SNAPSHOTS=1 rewrites it.

const DOCUMENT = "../docs/design-language.md";
const SURFACES = ["bg", "panel", "raised", "hover"];
const WORDS = ["text", "dim", "accent", "danger", "warn", "note"];
/** Text colours and their backgrounds. */
const READ: [string, string][] = [
  ...WORDS.flatMap((word) => SURFACES.map((surface): [string, string] => [word, surface])),
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["on-danger", "danger"],
  ["on-danger", "danger-hover"],
  ...["accent", "danger", "warn", "note"].flatMap((word): [string, string][] => [
    [word, `${word}-soft`],
    ["text", `${word}-soft`],
  ]),
  ["dim", "accent-soft"],
  ["text", "found"],
];
/** Meaningful lines and shapes and their backgrounds. */
const SEEN: [string, string][] = SURFACES.map((surface) => ["line-strong", surface]);

let themes: Record<"light" | "dark", Map<string, string>>;

beforeAll(async () => {
  const css = await readFile("src/ui/tokens.css", "utf8");
  const [light = "", dark = ""] = css.split("@media screen");
  const read = (text: string) =>
    new Map(
      [...text.matchAll(/--k-([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [name, value]),
    );
  themes = { light: read(light), dark: read(dark) };
});

function ratio(theme: "light" | "dark", [word, surface]: [string, string]): number {
  const colour = (name: string) => {
    const value = themes[theme].get(name);
    if (!value) throw new Error(`${theme} has no --k-${name}`);
    return value;
  };
  return contrast(colour(word), colour(surface));
}

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  test.each(READ)("text in --k-%s is legible on --k-%s", (...pair) =>
    expect(ratio(theme, pair)).toBeGreaterThanOrEqual(4.5),
  );
  test.each(SEEN)("shapes in --k-%s are visible on --k-%s", (...pair) =>
    expect(ratio(theme, pair)).toBeGreaterThanOrEqual(3),
  );
  test("the browser's toolbar has the page's colour", () => expect(BAR[theme]).toBe(themes[theme].get("bg")));
});

test("both themes define the same colours", () => {
  expect([...themes.dark.keys()].sort()).toEqual([...themes.light.keys()].sort());
});

test("the contrast of black on white is 21, and of a colour on itself 1", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#1c6a52", "#1c6a52")).toBe(1);
});

test("docs/design-language.md has the computed contrast values", async () => {
  const text = await readFile(DOCUMENT, "utf8");
  const figure = (pair: [string, string]) =>
    (["light", "dark"] as const).map((theme) => (Math.floor(ratio(theme, pair) * 10) / 10).toFixed(1));
  const rows = [...READ, ...SEEN].map(
    (pair) => `| \`${pair[0]}\` | \`${pair[1]}\` | ${figure(pair).join(" | ")} |`,
  );
  const table = ["| colour | on | light | dark |", "| --- | --- | --- | --- |", ...rows].join("\n");
  const written = text.replace(/(<!-- contrast -->\n)[\s\S]*?(\n<!-- \/contrast -->)/, `$1${table}$2`);
  if (process.env.UPDATE_SNAPSHOTS) await writeFile(DOCUMENT, written);
  else expect(text).toBe(written);
});
