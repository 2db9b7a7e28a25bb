import { isNumber } from "../quiz/answers";

/** Parses a decimal with a comma or a point; null for other text and for numbers that JSON cannot represent. */
export function readDecimal(text: string): number | null {
  if (!isNumber(text)) return null;
  const number = Number(text.replace(/\s/g, "").replace("−", "-").replace(",", "."));
  return Number.isFinite(number) ? number : null;
}

export function numberText(value: number): string {
  return String(value).replace(".", ",");
}
