import type { Cell } from "./grades";
import type { GradeTablePartsFragment } from "./ImportGrades.generated";

export type GradeTable = GradeTablePartsFragment;
export type TableChange = GradeTable["changes"][number];

/** The maximum number of characters of a table. */
const MAX_TABLE = 4_000_000;

export type FileProblem = "empty" | "workbook" | "notText" | "tooLong";

const starts = (bytes: Uint8Array, ...with_: number[]) => with_.every((byte, at) => bytes[at] === byte);

/** The text of a table that a spreadsheet program has saved: UTF-8, UTF-16, or the old encoding of Russian Windows. */
export function tableText(bytes: Uint8Array): { text: string } | { problem: FileProblem } {
  // The workbooks of Excel and LibreOffice are archives.
  if (starts(bytes, 0x50, 0x4b, 3, 4) || starts(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    return { problem: "workbook" };
  const text = decoded(bytes);
  if (text.includes("\0")) return { problem: "notText" };
  if (text.trim() === "") return { problem: "empty" };
  if ([...text].length > MAX_TABLE) return { problem: "tooLong" };
  return { text };
}

function decoded(bytes: Uint8Array): string {
  if (starts(bytes, 0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes);
  if (starts(bytes, 0xfe, 0xff)) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1251").decode(bytes);
  }
}

/** The digits by which a heading names its page. */
const codeOf = (pageId: string) => pageId.replaceAll("-", "").slice(-8);

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const wordOf = ({ source, points }: Cell) =>
  source === "excused" ? "excused" : source === "override" && points !== undefined ? points : "auto";

/** The table that gives the grades back what they were before these changes. */
export function undoTable(changes: readonly TableChange[]): string {
  const codes = [...new Set(changes.map(({ pageId }) => codeOf(pageId)))];
  const learners = new Map<string, Map<string, string>>();
  for (const { email, pageId, before } of changes) {
    const cells = learners.get(email) ?? new Map<string, string>();
    cells.set(codeOf(pageId), wordOf(before as Cell));
    learners.set(email, cells);
  }
  const lines = [...learners].map(([email, cells]) => [email, ...codes.map((code) => cells.get(code) ?? "")]);
  return [["Email", ...codes.map((code) => `[${code}]`)], ...lines]
    .map((line) => line.map(quoted).join(";"))
    .join("\r\n");
}

const keyOf = ({ enrollmentId, pageId }: TableChange) => `${enrollmentId} ${pageId}`;

/** The changes whose grades are still as they made them; `now` is the preview of the table that undoes them. */
export function stillThere(changes: readonly TableChange[], now: GradeTable): TableChange[] {
  const cells = new Map(now.changes.map((change) => [keyOf(change), change.before as Cell]));
  return changes.filter((change) => {
    const cell = cells.get(keyOf(change));
    if (!cell) return false;
    if (change.kind === "EXCUSED") return cell.source === "excused";
    if (change.kind === "OVERRIDE") return cell.source === "override" && cell.points === change.points;
    return cell.source !== "override" && cell.source !== "excused";
  });
}
