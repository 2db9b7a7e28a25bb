/**
 * The highlighting engine and its grammars. Only `queue.ts` imports this file, after the page is rendered. It is a separate chunk, and so
 * is every grammar, so that a page loads only the grammars it uses.
 */
import type { LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
import type { Language } from "./languages";

const GRAMMARS: Record<Language, () => Promise<{ default: LanguageFn }>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  dos: () => import("highlight.js/lib/languages/dos"),
  go: () => import("highlight.js/lib/languages/go"),
  graphql: () => import("highlight.js/lib/languages/graphql"),
  haskell: () => import("highlight.js/lib/languages/haskell"),
  html: () => import("highlight.js/lib/languages/xml"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  php: () => import("highlight.js/lib/languages/php"),
  powershell: () => import("highlight.js/lib/languages/powershell"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  shell: () => import("highlight.js/lib/languages/shell"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  toml: () => import("highlight.js/lib/languages/ini"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

/** Grammars that a language embeds. */
const PARTS: Partial<Record<Language, Language[]>> = {
  shell: ["bash"],
  html: ["css", "javascript"],
  xml: ["css", "javascript"],
};

async function register(language: Language): Promise<void> {
  if (hljs.getLanguage(language)) return;
  const grammar = await GRAMMARS[language]();
  hljs.registerLanguage(language, grammar.default);
}

/** Highlights code; returns HTML with the same characters, escaped, in spans with classes. */
export async function highlight(code: string, language: Language): Promise<string> {
  await Promise.all([language, ...(PARTS[language] ?? [])].map(register));
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
