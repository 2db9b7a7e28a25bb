/** The highlighted languages with their names in code fences. `label` is shown to learners. */
export const LANGUAGES = {
  bash: { label: "Bash", names: ["bash", "sh", "zsh"] },
  c: { label: "C", names: ["c", "h"] },
  cpp: { label: "C++", names: ["cpp", "c++", "cc", "hpp", "cxx"] },
  csharp: { label: "C#", names: ["csharp", "cs", "c#"] },
  css: { label: "CSS", names: ["css"] },
  diff: { label: "Diff", names: ["diff", "patch"] },
  dockerfile: { label: "Dockerfile", names: ["dockerfile", "docker"] },
  dos: { label: "cmd", names: ["dos", "cmd", "bat"] },
  go: { label: "Go", names: ["go", "golang"] },
  graphql: { label: "GraphQL", names: ["graphql", "gql"] },
  haskell: { label: "Haskell", names: ["haskell", "hs"] },
  ini: { label: "INI", names: ["ini", "cfg"] },
  java: { label: "Java", names: ["java"] },
  javascript: { label: "JavaScript", names: ["javascript", "js", "mjs", "cjs", "jsx"] },
  json: { label: "JSON", names: ["json", "jsonc", "json5"] },
  kotlin: { label: "Kotlin", names: ["kotlin", "kt", "kts"] },
  makefile: { label: "Makefile", names: ["makefile", "make", "mk"] },
  markdown: { label: "Markdown", names: ["markdown", "md"] },
  php: { label: "PHP", names: ["php"] },
  powershell: { label: "PowerShell", names: ["powershell", "ps", "ps1", "pwsh"] },
  python: { label: "Python", names: ["python", "py", "python3"] },
  ruby: { label: "Ruby", names: ["ruby", "rb"] },
  rust: { label: "Rust", names: ["rust", "rs"] },
  shell: { label: "Console", names: ["shell", "console", "shellsession", "sh-session", "terminal"] },
  sql: { label: "SQL", names: ["sql", "sqlite", "postgresql", "mysql"] },
  swift: { label: "Swift", names: ["swift"] },
  toml: { label: "TOML", names: ["toml"] },
  typescript: { label: "TypeScript", names: ["typescript", "ts", "tsx"] },
  xml: { label: "XML", names: ["xml", "svg"] },
  html: { label: "HTML", names: ["html", "htm", "xhtml"] },
  yaml: { label: "YAML", names: ["yaml", "yml"] },
} as const;

export type Language = keyof typeof LANGUAGES;

/** Names for code without a language; the block has no label. */
const PLAIN = new Set(["text", "txt", "plain", "plaintext", "none", "output"]);

const BY_NAME = new Map<string, Language>(
  (Object.keys(LANGUAGES) as Language[]).flatMap((language) =>
    LANGUAGES[language].names.map((name): [string, Language] => [name, language]),
  ),
);

/** The language of a name in a code fence; null for one that is not highlighted. */
export function languageOf(name: string | null): Language | null {
  return name ? (BY_NAME.get(name.toLowerCase()) ?? null) : null;
}

/** Label of a code block: the language's name, or the author's text for an unknown one. */
export function languageLabel(name: string | null): string | null {
  if (!name || PLAIN.has(name.toLowerCase())) return null;
  const language = languageOf(name);
  return language ? LANGUAGES[language].label : name;
}
