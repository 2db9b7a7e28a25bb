/**
 * Captures the keys typed after Ctrl+K while the palette's code is loading, so that they reach its field and not the focused
 * element. `take` returns the text and stops capturing; `onGiveUp` is called when the user cancels.
 */
export function keepTyped(onGiveUp: () => void) {
  let typed = "";
  const stop = () => {
    window.removeEventListener("keydown", onKey, true);
    window.removeEventListener("pointerdown", giveUp, true);
  };
  const giveUp = () => {
    stop();
    onGiveUp();
  };
  const onKey = (event: KeyboardEvent) => {
    const { key } = event;
    // Leaves browser shortcuts and single modifier keys alone. AltGr produces characters.
    const isShortcut =
      (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
    if (isShortcut || event.isComposing || /^(Control|Meta|Alt|AltGraph|Shift|CapsLock|F\d+)$/.test(key))
      return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "Escape" || key === "Tab") giveUp();
    else if (key === "Backspace") typed = typed.slice(0, -1);
    else if (key.length === 1) typed += key;
  };
  window.addEventListener("keydown", onKey, true);
  // A click elsewhere cancels the palette.
  window.addEventListener("pointerdown", giveUp, true);
  return {
    take: () => {
      stop();
      return typed;
    },
  };
}
