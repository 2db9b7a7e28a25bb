import type { Attribute } from "@tiptap/core";

/** An attribute that the clipboard carries as a `data-` attribute, so that a copied block keeps it. */
export function carried(
  name: string,
  fallback: unknown,
  read: (text: string) => unknown,
): Partial<Attribute> {
  const inHtml = `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return {
    default: fallback,
    parseHTML: (element) => {
      const text = element.getAttribute(inHtml);
      return text === null ? fallback : (read(text) ?? fallback);
    },
    renderHTML: (attributes) => {
      const value = attributes[name];
      return value === fallback || value === null || value === undefined ? {} : { [inHtml]: String(value) };
    },
  };
}

/** Reads a string of at most `most` characters, counted as the server does. */
export const text =
  (most: number) =>
  (value: string): string =>
    [...value].slice(0, most).join("");

/** Reads an integer in the range, else null. */
export const whole =
  (least: number, most: number) =>
  (value: string): number | null => {
    const number = Number(value);
    return value !== "" && Number.isInteger(number) && number >= least && number <= most ? number : null;
  };

export const flag = (value: string): boolean => value === "true";

/** Reads one of these strings, else null. */
export const oneOf =
  (words: readonly string[]) =>
  (value: string): string | null =>
    words.includes(value) ? value : null;
