import { type KeyboardEvent, type RefObject, useEffect, useState } from "react";

/** What forms share that check an answer with a button. */

/** Ignores Enter from key repeat on a button: it must not confirm a warning, nor leave a result, that has just appeared. */
export function ignoreRepeatedEnter(event: KeyboardEvent) {
  const isOnButton = event.target instanceof HTMLElement && event.target.matches("button, input");
  if (event.key === "Enter" && event.repeat && isOnButton) event.preventDefault();
}

/** Focuses the first input that is unreadable or has no answer. */
export function focusProblem(place: Element | null | undefined) {
  const input = place?.querySelector<HTMLElement>("[data-unreadable], [data-missing]");
  (input?.querySelector<HTMLElement>("[role=textbox]") ?? input)?.focus();
}

/** Returns a function that is called before the button is disabled; the button then gets the focus back when it is enabled. */
export function useReturnedFocus(button: RefObject<HTMLButtonElement | null>, isDisabled: boolean) {
  const [hadFocus, setHadFocus] = useState(false);
  useEffect(() => {
    if (isDisabled || !hadFocus) return;
    button.current?.focus({ preventScroll: true });
    setHadFocus(false);
  }, [button, isDisabled, hadFocus]);
  return () => setHadFocus(true);
}
