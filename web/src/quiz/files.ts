import type { QuestionOf } from "./model";

/** A file of an answer. */
export interface AnswerFile {
  id: string;
  filename: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** An address that expires within hours; answers that are not submitted yet have none. */
  url?: string;
}

/** What files a question takes. */
export type FileRules = Pick<QuestionOf<"FileUploadQuestion">, "id" | "maxFiles" | "extensions">;
type Rules = Omit<FileRules, "id">;

/** Why a chosen file is not uploaded. */
type RefusalReason = "folder" | "kind" | "empty" | "many";

/** Chosen files that are not uploaded, by their names. */
export interface Refusal {
  reason: RefusalReason;
  names: string[];
}

/** A chosen file; a folder can be dropped like a file, but not uploaded. */
interface Chosen {
  name: string;
  size: number;
  isFolder?: boolean;
}

/** The end of a file name after its last dot, in lower case; empty without a dot. The server compares the same end. */
export function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf(".");
  return dot < 0 ? "" : filename.slice(dot + 1).toLowerCase();
}

/** Whether a question accepts files of this name; without extensions it accepts all. */
export function isAccepted(filename: string, extensions: readonly string[]): boolean {
  return extensions.length === 0 || extensions.includes(extensionOf(filename));
}

/** Formats the accepted kinds: «.pdf, .docx». As the `accept` of a file input, they limit what can be chosen. */
export function kindsText(extensions: readonly string[]): string {
  return extensions.map((extension) => `.${extension}`).join(", ");
}

/** Divides chosen files into those to upload, at most `room`, and the others with the reasons. */
export function sortOut<F extends Chosen>(
  chosen: readonly F[],
  { extensions }: Pick<Rules, "extensions">,
  room: number,
): { taken: F[]; refused: Refusal[] } {
  const taken: F[] = [];
  const names: Record<RefusalReason, string[]> = { folder: [], kind: [], empty: [], many: [] };
  for (const file of chosen) {
    const reason = reasonAgainst(file, extensions) ?? (taken.length >= room ? "many" : null);
    if (reason) names[reason].push(file.name);
    else taken.push(file);
  }
  const reasons = Object.entries(names) as [RefusalReason, string[]][];
  return {
    taken,
    refused: reasons.flatMap(([reason, names]) => (names.length > 0 ? { reason, names } : [])),
  };
}

function reasonAgainst({ name, size, isFolder }: Chosen, extensions: readonly string[]) {
  if (isFolder) return "folder";
  if (!isAccepted(name, extensions)) return "kind";
  return size === 0 ? "empty" : null;
}

/** The stored files that still fit the question, without their addresses. The value comes from local storage. */
export function fittedFiles(stored: unknown, { maxFiles, extensions }: Rules): AnswerFile[] {
  const files = Array.isArray(stored) ? stored.flatMap((one) => fileOf(one) ?? []) : [];
  const known = new Set<string>();
  return files
    .filter(({ id, filename }) => {
      const isNew = !known.has(id);
      known.add(id);
      return isNew && isAccepted(filename, extensions);
    })
    .slice(0, maxFiles);
}

function fileOf(value: unknown): AnswerFile | null {
  if (typeof value !== "object" || value === null) return null;
  const { id, filename, contentType, size } = value as Partial<Record<keyof AnswerFile, unknown>>;
  return typeof id === "string" &&
    typeof filename === "string" &&
    typeof contentType === "string" &&
    typeof size === "number"
    ? { id, filename, contentType, size }
    : null;
}

/** The kinds of images that browsers show. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

/** How a file of an answer is shown: as an image, in a new tab, or as a download. */
export function displayOf({ contentType }: Pick<AnswerFile, "contentType">): "image" | "tab" | "download" {
  if (IMAGES.has(contentType)) return "image";
  return contentType === "application/pdf" ? "tab" : "download";
}

/** When the first of the addresses expires, as an ISO date and time; null if none does. */
export function firstExpiry(files: readonly AnswerFile[]): string | null {
  const ends = files.flatMap(({ url }) => {
    const seconds = Number(/[?&]expires=(\d+)/.exec(url ?? "")?.[1]);
    return seconds > 0 ? seconds * 1000 : [];
  });
  return ends.length > 0 ? new Date(Math.min(...ends)).toISOString() : null;
}
