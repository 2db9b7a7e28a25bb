import type { MouseEvent } from "react";

/**
 * An `onMouseDown` handler for controls below a field: the field keeps the focus until the click is complete. Otherwise the
 * blur shows the field's errors between press and release, the form grows, and the release misses the button.
 */
export function keepFocus(event: MouseEvent) {
  event.preventDefault();
}
