import type { PinShownFragment } from "../Rubric.generated";
import type { TextPlace } from "./places";

/** A comment at a place of an answer: in its text, or on one of its pictures. */
export type Pin = PinShownFragment;

/** A pin with its index in the answer's list and the number that it is shown with, from 1. */
export interface NumberedPin {
  pin: Pin;
  index: number;
  number: number;
}

/** A place on a picture, in percent of its width and height. */
interface Point {
  x: number;
  y: number;
}

/** The place of a pin in the text; null for one on a picture. */
export function textPlaceOf({ start, end }: Pin): TextPlace | null {
  return start !== null && end !== null ? { start, end } : null;
}

/** The place of a pin on a picture; null for one in the text. */
export function pointOf({ x, y }: Pin): Point | null {
  return x !== null && y !== null ? { x, y } : null;
}

export const pinAt = ({ start, end }: TextPlace): Pin => ({
  start,
  end,
  fileId: null,
  x: null,
  y: null,
  comment: "",
});

export const pinOn = (fileId: string, { x, y }: Point): Pin => ({
  start: null,
  end: null,
  fileId,
  ...rounded({ x, y }),
  comment: "",
});

/** A point inside the picture, to a hundredth of a percent. */
export function rounded({ x, y }: Point): Point {
  const side = (value: number) => Math.round(Math.min(Math.max(value, 0), 100) * 100) / 100;
  return { x: side(x), y: side(y) };
}

/** Numbers the pins of an answer: first those in the text in its order, then those on its pictures, picture by picture. */
export function numbered(pins: readonly Pin[], fileIds: readonly string[]): NumberedPin[] {
  const file = ({ fileId }: Pin) => (fileId === null ? -1 : fileIds.indexOf(fileId));
  return pins
    .map((pin, index) => ({ pin, index }))
    .sort(
      (a, b) =>
        file(a.pin) - file(b.pin) ||
        (a.pin.start ?? 0) - (b.pin.start ?? 0) ||
        (a.pin.end ?? 0) - (b.pin.end ?? 0) ||
        a.index - b.index,
    )
    .map((one, at) => ({ ...one, number: at + 1 }));
}

/** The ids of the elements that lead from a place to its comment and back. */
export const placeId = (scope: string, index: number) => `${scope}-place-${index}`;
export const commentId = (scope: string, index: number) => `${scope}-comment-${index}`;
