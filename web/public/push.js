// The service worker of pushes: shows what the server pushes, and opens its screens. It intercepts no requests, and is registered only when
// somebody turns pushes on.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("push", (event) => event.waitUntil(show(read(event.data))));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url));
});

/** The message; empty if it is not the server's. Browsers end pushes to workers that show nothing. */
function read(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

function show({ title, body, url, tag, lang }) {
  return self.registration.showNotification(title || "Kurso", {
    body: body ?? "",
    tag: tag ?? "",
    lang: lang ?? "",
    icon: "/icons/icon-192.png",
    data: { url },
  });
}

/** Focuses a tab that shows the path, or opens another one: a tab with something else may have text that is not saved. */
async function open(path) {
  const url = new URL(path ?? "/", self.location.origin);
  const address = url.origin === self.location.origin ? url.href : `${self.location.origin}/`;
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = tabs.find((tab) => tab.url === address);
  return shown ? shown.focus() : self.clients.openWindow(address);
}
