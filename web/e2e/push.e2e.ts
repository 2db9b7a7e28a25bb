import type { Page } from "@playwright/test";
import { chromiumPath } from "../../scripts/chromium.mjs";
import { login } from "../../scripts/client.mjs";
import { Server } from "../../scripts/server.mjs";
import { expectAccessibleEverywhere, expectNoHorizontalScroll, resize } from "./accessibility.ts";
import { signUp } from "./api.ts";
import { test as base, expect } from "./fixtures.ts";
import { PushService } from "./push-service.ts";
import { openUserMenu } from "./ui.ts";

// Notices on devices: turning them on, the service worker that shows them, and signing out.

const test = base.extend<{ push: PushService }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the needed fixtures from this pattern
  push: async ({}, use) => {
    const push = await PushService.start();
    await use(push);
    await push.stop();
  },
  // Push services on this machine are allowed only if they are listed.
  // biome-ignore lint/correctness/noEmptyPattern: the same
  server: async ({}, use) => {
    const server = await Server.start({ settings: { KURSO_PUSH_HOSTS: "127.0.0.1" } });
    await use(server);
    await server.stop();
  },
});

// The headless shell never shows notices.
test.use({ launchOptions: { executablePath: chromiumPath(), args: ["--no-sandbox", "--disable-gpu"] } });

/** Delivers a message to the service worker of the page, as the browser does when a push service passes it on. */
async function deliver(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registration = new Promise<string>((found) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first) found(first.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const registrationId = await registration;
  const { origin } = new URL(page.url());
  await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
  await session.detach();
}

/** The titles, texts and tags of the notices that the browser shows. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration("/");
    const notices = (await registration?.getNotifications()) ?? [];
    return notices.map(({ title, body, tag }) => ({ title, body, tag }));
  });

test("a device is turned on, shows what is pushed, and is silent after signing out", async ({
  server,
  newTab,
  push,
}) => {
  const account = await signUp(server);
  const { page, context } = await newTab({ token: await login(server.url, account.email, account.password) });
  await push.serve(context, server.url);
  await page.goto("/settings/notices");
  const section = page.getByRole("region", { name: "Уведомления на устройствах" });
  await expect(section.getByText("На этом устройстве уведомления выключены.")).toBeVisible();
  // Nothing is registered before somebody wants it.
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await section.getByRole("button", { name: "Включить" }).press("Enter");
  await expect(section.getByText("На этом устройстве уведомления включены.")).toBeVisible();
  const column = page.getByRole("checkbox", { name: "На устройства: Скоро срок" });
  await expect(column).toBeChecked();
  await column.uncheck();
  await expect(page.getByText("Сохранено", { exact: true })).toBeVisible();
  await expectAccessibleEverywhere(page, "the settings of notices with a device");
  await resize(page, { width: 360, height: 740 });
  await expectNoHorizontalScroll(page, "the settings of notices with a device on a phone");
  await resize(page, { width: 1440, height: 900 });

  await section.getByRole("button", { name: "Проверить" }).click();
  await expect.poll(() => push.messages.length).toBe(1);
  const [message = ""] = push.messages;
  await deliver(page, message);
  await expect.poll(() => shown(page)).toHaveLength(1);
  const { tag } = JSON.parse(message) as { tag: string };
  expect(await shown(page)).toEqual([
    { title: "Проверка Kurso", body: "Уведомления приходят на это устройство.", tag },
  ]);
  // A repeated push replaces the first one, and what is no message of the server is shown as empty.
  await deliver(page, message);
  await deliver(page, "no JSON");
  await expect
    .poll(async () => (await shown(page)).map(({ title }) => title).sort())
    .toEqual(["Kurso", "Проверка Kurso"]);

  const worker = context.serviceWorkers()[0];
  const opened = await worker?.evaluate(async () => {
    const scope = self as unknown as ServiceWorkerGlobalScopeLike;
    const addresses: string[] = [];
    scope.clients.openWindow = async (address) => {
      addresses.push(address);
      return null;
    };
    const waiting: Promise<unknown>[] = [];
    for (const url of [
      "/view-page/1?question=2",
      "https://elsewhere.example/",
      "//elsewhere.example/",
      undefined,
    ]) {
      const event = Object.assign(new Event("notificationclick"), {
        notification: { close: () => undefined, data: { url } },
        waitUntil: (work: Promise<unknown>) => waiting.push(work),
      });
      self.dispatchEvent(event);
    }
    await Promise.all(waiting);
    return addresses;
  });
  expect(opened).toEqual([`${server.url}/view-page/1?question=2`, ...Array(3).fill(`${server.url}/`)]);

  await page.reload();
  await expect(section.getByText("На этом устройстве уведомления включены.")).toBeVisible();
  await expect(column).not.toBeChecked();
  await openUserMenu(page, account.fullName);
  await page.getByRole("menuitem", { name: "Выйти" }).click();
  await page.waitForURL((url) => url.pathname === "/login");
  const token = await login(server.url, account.email, account.password);
  const left = await fetch(`${server.url}/api/v1/notices/devices`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect((await left.json()).devices).toEqual([]);
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("push service"))),
  ).toEqual([]);
});

/** What the test replaces in the scope of the service worker. */
interface ServiceWorkerGlobalScopeLike {
  clients: { openWindow: (address: string) => Promise<null> };
}
