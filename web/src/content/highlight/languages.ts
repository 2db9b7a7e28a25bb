/** The highlighted languages: the label that learners see, then more names. Code fences name them by key, label or name. */
const LANGUAGES = {
  bash: "Bash sh zsh",
  c: "C h",
  cpp: "C++ cc hpp cxx",
  csharp: "C# cs",
  css: "CSS",
  diff: "Diff patch",
  dockerfile: "Dockerfile docker",
  dos: "cmd bat",
  go: "Go golang",
  graphql: "GraphQL gql",
  haskell: "Haskell hs",
  ini: "INI cfg",
  java: "Java",
  javascript: "JavaScript js mjs cjs jsx",
  json: "JSON jsonc json5",
  kotlin: "Kotlin kt kts",
  makefile: "Makefile make mk",
  markdown: "Markdown md",
  php: "PHP",
  powershell: "PowerShell ps ps1 pwsh",
  python: "Python py python3",
  ruby: "Ruby rb",
  rust: "Rust rs",
  shell: "Console shellsession sh-session terminal",
  sql: "SQL sqlite postgresql mysql",
  swift: "Swift",
  toml: "TOML",
  typescript: "TypeScript ts tsx",
  xml: "XML svg",
  html: "HTML htm xhtml",
  yaml: "YAML yml",
} as const;

export type Language = keyof typeof LANGUAGES;

export const languages = Object.keys(LANGUAGES) as Language[];

/** Names for code without a language; the block has no label. */
const PLAIN = new Set(["text", "txt", "plain", "plaintext", "none", "output"]);

const BY_NAME = new Map<string, Language>(
  languages.flatMap((language) =>
    `${language} ${LANGUAGES[language].toLowerCase()}`
      .split(" ")
      .map((name): [string, Language] => [name, language]),
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
  return language ? (LANGUAGES[language].split(" ")[0] ?? null) : name;
}
