import type { ApolloClient } from "@apollo/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endSession, storeToken } from "../api/session";
import { keepDevice } from "./keepDevice";

const KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
let number = 0;

beforeEach(() => storeToken(`a.b.${number++}`));
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
  endSession();
});

/** A browser with a subscription that was made with this key. */
function browser(applicationServerKey: ArrayBuffer | null = null) {
  const make = (endpoint: string) => ({
    endpoint,
    options: { applicationServerKey },
    getKey: () => new Uint8Array([1]).buffer,
    unsubscribe: vi.fn(async () => true),
  });
  const old = make("https://push.example/old");
  const pushManager = {
    getSubscription: async () => old,
    subscribe: async () => make("https://push.example/new"),
  };
  const registration = { pushManager };
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", { permission: "granted", requestPermission: async () => "granted" });
  const value = {
    register: async () => registration,
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  };
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value });
  return old;
}

function client(endpoints: string[]) {
  const devices = endpoints.map((endpoint) => ({ endpoint }));
  const query = vi.fn(async () => ({ data: { noticeDevices: { publicKey: KEY, devices } } }));
  const mutate = vi.fn(async (_: { variables: { input: { endpoint?: string; deviceId?: string } } }) => ({}));
  const added = () => mutate.mock.calls.flatMap(([{ variables }]) => variables.input.endpoint ?? []);
  return { client: { query, mutate } as unknown as ApolloClient, query, added };
}

test("a browser without pushes asks the server nothing", async () => {
  const { client: apollo, query } = client([]);
  await keepDevice(apollo);
  expect(query).not.toHaveBeenCalled();
});

test("the device of a browser is renewed once per session", async () => {
  const subscription = browser();
  const { client: apollo, query, added } = client([subscription.endpoint]);
  await keepDevice(apollo);
  await keepDevice(apollo);
  expect(query).toHaveBeenCalledOnce();
  expect(added()).toEqual([subscription.endpoint]);
});

test("a device that was removed, or belongs to somebody else, is unsubscribed", async () => {
  const subscription = browser();
  const { client: apollo, added } = client(["https://push.example/other"]);
  await keepDevice(apollo);
  expect(subscription.unsubscribe).toHaveBeenCalledOnce();
  expect(added()).toEqual([]);
});

test("another key of the server makes another subscription", async () => {
  const subscription = browser(new Uint8Array([4, 5]).buffer);
  const { client: apollo, added } = client([subscription.endpoint]);
  await keepDevice(apollo);
  expect(subscription.unsubscribe).toHaveBeenCalledOnce();
  expect(added()).toEqual(["https://push.example/new"]);
});
