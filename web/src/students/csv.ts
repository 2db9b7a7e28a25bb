/**
 * Writes comma-separated values (RFC 4180) with a byte order mark, which tells spreadsheet programs that the text is UTF-8.
 * A cell that a spreadsheet program would run as a formula gets an apostrophe in front.
 */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** The same first characters as on the server: formula signs, control characters and full-width forms. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
