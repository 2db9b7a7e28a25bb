import type { KeyboardEvent } from "react";

/**
 * Handles Ctrl+Shift+Enter, which leads to the next question. For `onKeyDownCapture`: the event must not reach the field, in which Ctrl+Enter
 * means something else.
 */
export function nextQuestionKey(onNext: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) onNext();
  };
}
