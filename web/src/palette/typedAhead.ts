/**
 * What is typed after Ctrl+K while the palette is still on its way belongs to its field, not to whatever has the focus
 * meanwhile. `take` answers with it and lets the keys go where they went; `onGiveUp` is told when the person turns away.
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
    // The browser's own shortcuts stay; a modifier alone is no letter, and AltGr writes one.
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
  // Who reaches for something else wants that.
  window.addEventListener("pointerdown", giveUp, true);
  return {
    take: () => {
      stop();
      return typed;
    },
  };
}
