/** Reads comma-separated values (RFC 4180), with or without a byte order mark. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // A cell with quotes or without, and the separator or line end after it.
  for (const [, quoted, plain, end] of text
    .replace(/^\uFEFF/, "")
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (end === "" && row.length === 0 && !quoted && !plain) break;
    row.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end !== ",") {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

/** What a spreadsheet program takes for the next cell: Excel reads semicolons in Russian settings, commas in English ones. */
export type Separator = ";" | ",";

/** Writes separated values with a byte order mark, which tells spreadsheet programs that the text is UTF-8. */
export function writeCsv(rows: readonly (readonly string[])[], separator: Separator): string {
  const cell = (text: string) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `\uFEFF${rows.map((row) => row.map(cell).join(separator)).join("\r\n")}\r\n`;
}

/** Turns the server's times into local ones that every spreadsheet program reads, to the minute: 2026-11-24 09:30. */
export function withLocalTimes(rows: readonly (readonly string[])[]): string[][] {
  return rows.map((row) => row.map((text) => (TIME.test(text) ? localTime(text) : text)));
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function localTime(text: string): string {
  const at = new Date(text);
  const two = (part: number) => String(part).padStart(2, "0");
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
