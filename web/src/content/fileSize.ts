const UNITS = ["b", "kb", "mb", "gb"] as const;

/** A file size for display: a number with at most one decimal, and the translation key of its unit. */
export function fileSize(bytes: number): { value: number; context: (typeof UNITS)[number] } {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return { value: value < 10 ? Math.round(value * 10) / 10 : Math.round(value), context: UNITS[unit] ?? "b" };
}
