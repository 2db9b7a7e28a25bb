import { EXTENSIONS_MAX } from "../limits.generated";

/** The groups of file kinds that an author can choose at once, by their extensions. */
export const FILE_KINDS = {
  documents: ["pdf", "doc", "docx", "odt", "rtf", "txt"],
  tables: ["xls", "xlsx", "ods", "csv"],
  slides: ["ppt", "pptx", "odp", "pdf"],
  images: ["png", "jpg", "jpeg", "webp", "gif", "heic"],
  archives: ["zip", "7z", "rar", "tar", "gz"],
  code: [
    "py",
    "ipynb",
    "js",
    "ts",
    "html",
    "css",
    "java",
    "kt",
    "c",
    "cpp",
    "h",
    "cs",
    "go",
    "rs",
    "php",
    "sql",
  ],
  audio: ["mp3", "m4a", "wav", "ogg", "flac"],
  video: ["mp4", "mov", "webm", "avi", "mkv"],
} as const satisfies Record<string, readonly string[]>;
export type FileKind = keyof typeof FILE_KINDS;
export const FILE_KIND_NAMES = Object.keys(FILE_KINDS) as FileKind[];

/** Whether all extensions of the group are accepted. */
export function hasKind(extensions: readonly string[], kind: FileKind): boolean {
  return FILE_KINDS[kind].every((extension) => extensions.includes(extension));
}

/**
 * Adds a group, or removes it when all of it is accepted. An extension that another accepted group has too stays. Null when the list
 * would get longer than the server takes.
 */
export function toggleKind(extensions: readonly string[], kind: FileKind): string[] | null {
  if (!hasKind(extensions, kind)) return withExtensions(extensions, FILE_KINDS[kind]);
  const others = FILE_KIND_NAMES.filter((other) => other !== kind && hasKind(extensions, other));
  const needed = new Set<string>(others.flatMap((other) => FILE_KINDS[other]));
  const group = new Set<string>(FILE_KINDS[kind]);
  return extensions.filter((extension) => needed.has(extension) || !group.has(extension));
}

/** Adds extensions, each once; null when the list would get longer than the server takes. */
export function withExtensions(extensions: readonly string[], added: readonly string[]): string[] | null {
  const all = [...new Set([...extensions, ...added])];
  return all.length > EXTENSIONS_MAX ? null : all;
}

/** Parses typed extensions, with or without a dot or an asterisk, and returns those that are none separately. */
export function readExtensions(typed: string): { read: string[]; unreadable: string[] } {
  const words = typed.split(/[\s,;]+/).filter((word) => word !== "");
  const clean = words.map((word) => word.toLowerCase().replace(/^\*?\./, ""));
  const isExtension = (word: string) => /^[a-z0-9]{1,10}$/.test(word);
  return {
    read: clean.filter(isExtension),
    unreadable: words.filter((_, at) => !isExtension(clean[at] ?? "")),
  };
}
