import { describe, expect, it } from "vitest";
import { highlight } from "./highlighter";
import { languageLabel, languageOf, languages } from "./languages";

const CODE = 'fn main() { let a = "<b>&amp;</b>"; } // конец\n\tif x < 1 && y > 2 {}\n';

function textOf(html: string): string {
  const entities: Record<string, string> = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#x27;": "'",
    "&amp;": "&",
  };
  return html
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:lt|gt|quot|#x27|amp);/g, (entity) => entities[entity] ?? "");
}

describe("highlight", () => {
  it.each(languages)("colours %s without changing a character", async (language) => {
    const html = await highlight(CODE, language);
    expect(textOf(html)).toBe(CODE);
    // The result has only the highlighter's spans.
    expect(html.replace(/<span class="[\w. -]+">|<\/span>/g, "")).not.toMatch(/[<>]/);
  });

  it("marks keywords, strings and comments", async () => {
    expect(await highlight("let x = 5;", "rust")).toContain('<span class="hljs-keyword">let</span>');
    expect(await highlight("$ cargo run", "shell")).toContain("hljs-meta prompt_");
  });
});

describe("names of languages", () => {
  it.each([
    ["rust", "rust", "Rust"],
    ["RS", "rust", "Rust"],
    ["console", "shell", "Console"],
    ["ps1", "powershell", "PowerShell"],
    ["toml", "toml", "TOML"],
    ["c++", "cpp", "C++"],
    ["text", null, null],
    ["zig", null, "zig"],
    [null, null, null],
  ])("%s means %s, shown as %s", (name, language, label) => {
    expect(languageOf(name)).toBe(language);
    expect(languageLabel(name)).toBe(label);
  });
});
