/** A share code is eight characters of Crockford's base 32, shown as XXXX-XXXX. */
const LENGTH = 8;

/** As the server reads it: no case, no dashes or spaces, I and L are 1, O is 0. */
function normal(input: string): string {
  return input
    .toUpperCase()
    .replace(/[\s\-–—]/g, "")
    .replace(/[IL]/g, "1")
    .replace(/O/g, "0");
}

/** While it is being typed: capitals, a dash after the fourth character, nothing beyond the eighth. */
export function formatShareCode(input: string): string {
  const typed = input
    .toUpperCase()
    .replace(/[\s\-–—]/g, "")
    .slice(0, LENGTH);
  return typed.length > 4 ? `${typed.slice(0, 4)}-${typed.slice(4)}` : typed;
}

/** What keeps it from being a code, as a key of `home.enroll`; null when nothing does. */
export function shareCodeProblem(input: string): "required" | "length" | "characters" | null {
  const code = normal(input);
  if (code === "") return "required";
  if (!/^[0-9A-Z]*$/.test(code)) return "characters";
  return code.length === LENGTH ? null : "length";
}

/** The `code` of an address: text or nothing. A code of digits alone may have been read as a number. */
export function codeOfSearch(search: Record<string, unknown>): { code?: string } {
  const { code } = search;
  return typeof code === "string" || Number.isSafeInteger(code) ? { code: String(code) } : {};
}
