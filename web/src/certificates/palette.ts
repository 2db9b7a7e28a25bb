import { contrast } from "../ui/contrast";

/**
 * The colours of a certificate, chosen so that everything is legible on its background: the rules by which the server draws the PDF
 * (core/certificate/src/pdf/palette.rs).
 */
export interface Palette {
  background: string;
  /** The name and texts. */
  text: string;
  /** Labels. */
  muted: string;
  /** The heading and the line below it. */
  accent: string;
  frame: string;
  /** The line for the signature. */
  rule: string;
}

const DARK = "#1c1f26";
const LIGHT = "#faf9f6";
const LEGIBLE = 4.5;

const partsOf = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** A mixture of two colours: the first one at 0, the other at 1. */
function mix(one: string, other: string, part: number): string {
  const others = partsOf(other);
  const mixed = partsOf(one).map((from, at) => Math.round(from + ((others[at] ?? 0) - from) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** The colour that contrasts more with another. */
const better = (ground: string, one: string, other: string) =>
  contrast(one, ground) >= contrast(other, ground) ? one : other;

/** A colour as close to the wanted one as the contrast ratio allows; at worst that of the text. */
function legible(wanted: string, text: string, background: string, ratio: number): string {
  for (let step = 0; step <= 10; step += 1) {
    const colour = mix(wanted, text, step / 10);
    if (contrast(colour, background) >= ratio) return colour;
  }
  return text;
}

export function paletteOf(wanted: { accent: string; background: string }): Palette {
  const { background } = wanted;
  const soft = better(background, DARK, LIGHT);
  const text = contrast(soft, background) >= LEGIBLE ? soft : better(background, "#000000", "#ffffff");
  const accent = legible(wanted.accent, text, background, 3);
  return {
    background,
    text,
    muted: legible(mix(text, background, 0.38), text, background, LEGIBLE),
    accent,
    frame: mix(accent, background, 0.35),
    rule: mix(text, background, 0.55),
  };
}
