import type { MouseEvent } from "react";

/**
 * For what is pressed below a field: the field stays focused until the press is over. Else the field, left, would show its
 * errors between press and release, the form would grow, and the release would miss the button.
 */
export function keepFocus(event: MouseEvent) {
  event.preventDefault();
}
