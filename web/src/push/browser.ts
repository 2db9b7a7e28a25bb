/** Web Push of this browser: its permission, its service worker and its subscription. */

const WORKER = "/push.js";

/** Whether the browser can show pushes. Safari on iOS can only in an app on the home screen. */
export const isSupported = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Whether the page was loaded without encryption, where no browser offers pushes. */
export const isInsecure = (): boolean => window.isSecureContext === false;

/** A browser that could not subscribe, for example because it does not reach its push service. */
export class SubscribeError extends Error {
  override name = "SubscribeError";
}

let last: Promise<unknown> = Promise.resolve();

/** Runs what changes the subscription after what already does, so that one does not undo the other; in all tabs where the browser can. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  // Without encryption there are no locks, whatever the type says.
  const locks = navigator.locks as LockManager | null | undefined;
  if (locks) return locks.request("push", work) as Promise<T>;
  const own = last.then(work, work);
  last = own.catch(() => undefined);
  return own;
}

/** Whether the browser refuses to show notices, so that only its own settings can allow them. */
export const isDenied = (): boolean => isSupported() && Notification.permission === "denied";

/** The subscription of this browser; null without one. Registers nothing. */
export async function subscriptionHere(): Promise<PushSubscription | null> {
  if (!isSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Asks for the permission and subscribes with the key of the server; null if the user refuses. */
export async function subscribe(publicKey: string): Promise<PushSubscription | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  try {
    return await subscribed(publicKey);
  } catch (cause) {
    throw new SubscribeError(String(cause), { cause });
  }
}

async function subscribed(publicKey: string): Promise<PushSubscription> {
  const registration = await navigator.serviceWorker.register(WORKER, { scope: "/" });
  await navigator.serviceWorker.ready;
  const known = await registration.pushManager.getSubscription();
  if (known && hasKey(known, publicKey)) return known;
  // The key of the server has changed: a browser has one subscription at a time.
  await known?.unsubscribe();
  return registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(publicKey),
  });
}

/** Ends the subscription of this browser, if it has one, and takes the notices that it shows off the screen. */
export async function unsubscribe(): Promise<void> {
  if (!isSupported()) return;
  const registration = await navigator.serviceWorker.getRegistration("/");
  const shown = (await registration?.getNotifications?.()) ?? [];
  for (const notice of shown) notice.close();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** Whether the subscription was made with this key of the server. */
export function hasKey(subscription: PushSubscription, publicKey: string): boolean {
  const { applicationServerKey } = subscription.options;
  return applicationServerKey === null || textOf(applicationServerKey) === publicKey;
}

/** The subscription as the server takes it. */
export function deviceOf(subscription: PushSubscription) {
  const key = (name: PushEncryptionKeyName) => textOf(subscription.getKey(name) ?? new ArrayBuffer(0));
  return { endpoint: subscription.endpoint, p256dh: key("p256dh"), auth: key("auth") };
}

/** Bytes as base64url without padding. */
const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
