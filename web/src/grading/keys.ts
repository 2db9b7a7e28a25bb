/** Whether the element consumes typed keys as text, so that shortcuts must not apply. The points field accepts no letters. */
export function isTextField(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([data-points]), textarea, select, [contenteditable=true]")
  );
}
