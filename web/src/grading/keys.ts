/** Whether a key typed into the element writes text, so that it has no other meaning. The field of the points takes no letters. */
export function isTextField(target: EventTarget): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([data-points]), textarea, select, [contenteditable=true]")
  );
}
