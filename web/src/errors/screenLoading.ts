const NAME = "ScreenLoadError";
const KEY = "reloaded_at";
const AGAIN_AFTER_MS = 30_000;

/**
 * Every screen loads on demand. Loading fails either without a network, or after an update of the server has removed the old
 * file. The router would reload the page in both cases, which without a network loses the current screen. Therefore the error
 * gets a name that the router does not recognise, and `recoverScreen` decides.
 */
export function nameScreenLoadErrors() {
  window.addEventListener("vite:preloadError", ({ payload }) => {
    payload.name = NAME;
    payload.message = `This screen could not be loaded: ${payload.message}`;
  });
}

export function isScreenLoadError(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}

/** Reloads the page once when the server has another version of the app than this one. */
export async function recoverScreen() {
  if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < AGAIN_AFTER_MS) return;
  const entry = document.querySelector("script[type=module][src]")?.getAttribute("src");
  const index = await fetch("/", { cache: "no-store" }).then(
    (response) => (response.ok ? response.text() : null),
    () => null,
  );
  if (!entry || index === null || index.includes(entry)) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  window.location.reload();
}
