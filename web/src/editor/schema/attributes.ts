import type { Attribute } from "@tiptap/core";

/** An attribute that travels through the clipboard under a name of its own, so that a copied block is the same block. */
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

/** A text of at most `most` characters, as the server counts them. */
export const text =
  (most: number) =>
  (value: string): string =>
    [...value].slice(0, most).join("");

/** A whole number in the range, else null. */
export const whole =
  (least: number, most: number) =>
  (value: string): number | null => {
    const number = Number(value);
    return value !== "" && Number.isInteger(number) && number >= least && number <= most ? number : null;
  };

export const flag = (value: string): boolean => value === "true";

/** One of these words, else null. */
export const oneOf =
  (words: readonly string[]) =>
  (value: string): string | null =>
    words.includes(value) ? value : null;
