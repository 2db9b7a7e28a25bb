/**
 * Comma-separated values as RFC 4180 has them, with a mark of the encoding in front, by which spreadsheet programs see that it
 * is UTF-8. What a person typed must not become a formula there: cells that begin like one get an apostrophe.
 */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** As the server has it: what some program reads as a formula from its next letter on, and the wide forms of other keyboards. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
