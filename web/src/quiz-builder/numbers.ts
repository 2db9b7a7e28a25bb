import { isNumber } from "../quiz/answers";

/** A decimal as people write it; null when it is none, or not one that JSON can carry. */
export function readDecimal(text: string): number | null {
  if (!isNumber(text)) return null;
  const number = Number(text.replace(/\s/g, "").replace("−", "-").replace(",", "."));
  return Number.isFinite(number) ? number : null;
}

export function numberText(value: number): string {
  return String(value).replace(".", ",");
}
