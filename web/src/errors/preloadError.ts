const KEY = "reloaded_at";
const AGAIN_AFTER_MS = 30_000;

/**
 * A screen that cannot be loaded usually means the app was updated on the server and the old file is gone: one reload
 * brings the new app. If it fails again right after, the error screen shows instead of an endless loop.
 */
export function reloadOnceWhenAScreenFailsToLoad() {
  window.addEventListener("vite:preloadError", (event) => {
    // Without a network a reload would lose even what is on the screen.
    if (!navigator.onLine) return;
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < AGAIN_AFTER_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
}
