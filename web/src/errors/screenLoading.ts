const NAME = "ScreenLoadError";
const KEY = "reloaded_at";
const AGAIN_AFTER_MS = 30_000;

/**
 * Every screen loads on demand. One that does not come has either lost the network on its way, or the app was updated on
 * the server and the old file is gone. The router would reload the page in both cases, and without a network that loses
 * what is on the screen; so the error is given a name the router does not know, and `recoverScreen` decides.
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

/** Reloads the page, once, when the server has another version of the app than the one running here. */
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
