interface Moments {
  /** The network is back, or the page is looked at again. */
  onBack: () => void;
  /** The window is used again, perhaps after one beside it. */
  onFocus: () => void;
  /** The page is not looked at any more. */
  onAway: () => void;
  /** The page is being closed. */
  onClose: () => void;
}

/** Tells when the device was away. Returns a function that ends it. */
export function watchDevice({ onBack, onFocus, onAway, onClose }: Moments): () => void {
  const onVisibility = () => (document.hidden ? onAway() : onBack());
  window.addEventListener("online", onBack);
  window.addEventListener("focus", onFocus);
  window.addEventListener("pagehide", onClose);
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    window.removeEventListener("online", onBack);
    window.removeEventListener("focus", onFocus);
    window.removeEventListener("pagehide", onClose);
    document.removeEventListener("visibilitychange", onVisibility);
  };
}
