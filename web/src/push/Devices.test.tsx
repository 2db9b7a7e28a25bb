import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { endSession, storeToken } from "../api/session";
import { KINDS } from "../notice-settings/changes";
import { type Answers, renderApp } from "../testing/renderApp";
import { startI18n } from "../testing/startI18n";

beforeAll(startI18n);
beforeEach(() => storeToken("a.b.c"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
  endSession();
  localStorage.clear();
});

const KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const device = (id: string, endpoint: string) => ({
  __typename: "NoticeDevice",
  id,
  endpoint,
  userAgent: "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36",
  createdAt: "2026-11-21T08:00:00Z",
});
const preferences = {
  __typename: "NoticePreferences",
  language: "RU",
  timeZone: "UTC",
  quietHours: null,
  isStored: true,
  choices: [...KINDS.learning, ...KINDS.teaching].map((kind) => ({
    __typename: "NoticeChoice",
    kind,
    inApp: true,
    mail: "ONCE",
    push: true,
    isDefault: true,
  })),
  courses: [],
};

/** A server that keeps devices. */
function server(publicKey: string | null = KEY, devices: object[] = []): Answers {
  return {
    NoticePreferences: () => ({ noticePreferences: preferences }),
    NoticeDevices: () => ({ noticeDevices: { __typename: "NoticeDevices", publicKey, devices } }),
    AddNoticeDevice: ({ input }) => {
      devices.push(device("new", (input as { endpoint: string }).endpoint));
      return { addNoticeDevice: { __typename: "AddNoticeDevicePayload", device: devices.at(-1) } };
    },
    RemoveNoticeDevice: ({ input }) => {
      const { deviceId } = input as { deviceId: string };
      devices.splice(
        devices.findIndex((one) => "id" in one && one.id === deviceId),
        1,
      );
      return { removeNoticeDevice: { __typename: "RemoveNoticeDevicePayload", deviceId } };
    },
  };
}

/** A browser that can show pushes. */
function browser(permission: NotificationPermission, answer = permission) {
  const subscription = {
    endpoint: "https://push.example/here",
    options: { applicationServerKey: null },
    getKey: () => new Uint8Array([1, 2, 255]).buffer,
    unsubscribe: vi.fn(async () => {
      current = null;
      return true;
    }),
  };
  let current: typeof subscription | null = null;
  const pushManager = {
    getSubscription: async () => current,
    subscribe: vi.fn(async () => {
      current = subscription;
      return subscription;
    }),
  };
  const registration = { pushManager };
  const register = vi.fn(async () => registration);
  const notification = {
    permission,
    requestPermission: async () => {
      notification.permission = answer;
      return answer;
    },
  };
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", notification);
  const serviceWorker = {
    register,
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  };
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: serviceWorker });
  return { register, pushManager, subscription };
}

const text = (words: string) => new RegExp(`^${words.replaceAll(" ", "\\s")}`);
const button = (name: string) => screen.findByRole("button", { name });

describe("notices on this device", () => {
  test("are turned on, which shows a column of choices, and off", async () => {
    const { register, pushManager, subscription } = browser("default", "granted");
    const { asked } = await renderApp("/settings/notices", server());
    await screen.findByText("На этом устройстве уведомления выключены.");
    expect(register).not.toHaveBeenCalled();
    expect(screen.queryByRole("checkbox", { name: /^На устройства/ })).toBeNull();
    fireEvent.click(await button("Включить"));
    await screen.findByText("На этом устройстве уведомления включены.");
    expect(register).toHaveBeenCalledWith("/push.js", { scope: "/" });
    expect(pushManager.subscribe).toHaveBeenCalledOnce();
    const input = { endpoint: subscription.endpoint, p256dh: "AQL_", auth: "AQL_" };
    expect(asked.find(({ name }) => name === "AddNoticeDevice")?.variables).toEqual({ input });
    expect(await screen.findAllByRole("checkbox", { name: /^На устройства/ })).toHaveLength(16);
    fireEvent.click(await button("Выключить"));
    await screen.findByText("На этом устройстве уведомления выключены.");
    expect(subscription.unsubscribe).toHaveBeenCalledOnce();
  });

  test("stay off when the user refuses, and say how to allow them", async () => {
    const { register } = browser("default", "denied");
    await renderApp("/settings/notices", server());
    fireEvent.click(await button("Включить"));
    await screen.findByText(text("Браузер не разрешает Kurso"));
    expect(register).not.toHaveBeenCalled();
  });

  test("end the subscription when the server refuses the device", async () => {
    const { subscription } = browser("granted");
    await renderApp("/settings/notices", {
      ...server(),
      AddNoticeDevice: () => Promise.reject(new TypeError("no network")),
    });
    fireEvent.click(await button("Включить"));
    await screen.findByRole("alert");
    await waitFor(() => expect(subscription.unsubscribe).toHaveBeenCalledOnce());
    await screen.findByText("На этом устройстве уведомления выключены.");
  });

  test.each([
    ["a browser without pushes", () => undefined, KEY, "Этот браузер не поддерживает такие уведомления"],
    ["a browser that forbids them", () => browser("denied"), KEY, "Браузер не разрешает Kurso"],
    [
      "a server that sends none",
      () => browser("granted"),
      null,
      "На этом сервере такие уведомления отключены.",
    ],
  ])("are explained in %s", async (_, prepare, key, words) => {
    prepare();
    await renderApp("/settings/notices", server(key));
    await screen.findByText(text(words));
    expect(screen.queryByRole("button", { name: "Включить" })).toBeNull();
  });

  test("list the other devices, which can be turned off", async () => {
    browser("granted");
    await renderApp("/settings/notices", server(KEY, [device("phone", "https://push.example/phone")]));
    fireEvent.click(await button("Выключить: Chrome, Windows"));
    await waitFor(() => expect(screen.queryByRole("list", { name: "Другие устройства" })).toBeNull());
  });

  test("cannot be turned on without a network", async () => {
    browser("granted");
    const isOnline = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await renderApp("/settings/notices", server());
    expect((await button("Включить")).hasAttribute("disabled")).toBe(true);
    isOnline.mockRestore();
  });
});
