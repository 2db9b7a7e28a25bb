const NAME = "ScreenLoadError";
const KEY = "reloaded_at";
const AGAIN_AFTER_MS = 30_000;
const RETRY_MS = 5000;

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
  // Vite takes the element of a failed style sheet for a loaded one, and would show the screen without its styles.
  const removeFailed = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") target.remove();
  };
  document.addEventListener("error", removeFailed, { capture: true });
}

export function isScreenLoadError(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}

/**
 * Reloads the page after a screen failed to load, at most once in 30 seconds, and tries until the server answers. Returns a function that
 * stops it.
 */
export function recoverScreen(): () => void {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout>;
  const recover = async () => {
    const wait = Number(sessionStorage.getItem(KEY) ?? 0) + AGAIN_AFTER_MS - Date.now();
    if (wait <= 0) await reloadPage(() => isStopped);
    if (!isStopped) timer = setTimeout(recover, Math.max(wait, RETRY_MS));
  };
  timer = setTimeout(recover);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/**
 * Reloads the page if the server answers; otherwise the current screen stays. Browsers keep the failure of a module until then,
 * so nothing less loads the screen. `isStopped` is asked when the answer has arrived.
 */
export async function reloadPage(isStopped = () => false) {
  const isReachable = await fetch("/", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isReachable || isStopped()) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  window.location.reload();
}
