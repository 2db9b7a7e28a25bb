interface Moments {
  /** The network is back, or the page is looked at again. */
  onBack: () => void;
  /** The page is not looked at any more. */
  onAway: () => void;
  /** The page is being closed. */
  onClose: () => void;
}

/** Tells when the device was away. Returns a function that ends it. */
export function watchDevice({ onBack, onAway, onClose }: Moments): () => void {
  const onVisibility = () => (document.hidden ? onAway() : onBack());
  window.addEventListener("online", onBack);
  window.addEventListener("pagehide", onClose);
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    window.removeEventListener("online", onBack);
    window.removeEventListener("pagehide", onClose);
    document.removeEventListener("visibilitychange", onVisibility);
  };
}
