/** A share code is eight characters of Crockford's base 32, shown as XXXX-XXXX. */
const LENGTH = 8;

/** Normalises a code like the server: ignores case, dashes and spaces, reads I and L as 1 and O as 0. */
function normal(input: string): string {
  return input
    .toUpperCase()
    .replace(/[\s\-–—]/g, "")
    .replace(/[IL]/g, "1")
    .replace(/O/g, "0");
}

/** Formats a code during typing: upper case, a dash after the fourth character, at most eight characters. */
export function formatShareCode(input: string): string {
  const typed = input
    .toUpperCase()
    .replace(/[\s\-–—]/g, "")
    .slice(0, LENGTH);
  return typed.length > 4 ? `${typed.slice(0, 4)}-${typed.slice(4)}` : typed;
}

/** Returns the problem of a code as a key of `home.enroll`; null for a valid code. */
export function shareCodeProblem(input: string): "required" | "length" | "characters" | null {
  const code = normal(input);
  if (code === "") return "required";
  if (!/^[0-9A-Z]*$/.test(code)) return "characters";
  return code.length === LENGTH ? null : "length";
}

/** Reads the search parameter `code`. The router parses a code of digits as a number. */
export function codeOfSearch(search: Record<string, unknown>): { code?: string } {
  const { code } = search;
  return typeof code === "string" || Number.isSafeInteger(code) ? { code: String(code) } : {};
}
