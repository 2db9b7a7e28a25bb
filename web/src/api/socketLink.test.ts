import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onReconnect } from "./live";
import { takeReturnPath } from "./returnPath";
import { onSessionEnd, storeToken, token } from "./session";
import { closeWhenLeft, createSocket } from "./socketLink";

/** A WebSocket double: the test plays the server. */
class FakeSocket {
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static opened: FakeSocket[] = [];
  readyState = 0;
  sent: { type: string; id?: string; payload?: unknown }[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number; reason: string }) => void;
  constructor(
    readonly url: string,
    readonly protocol: string,
  ) {
    FakeSocket.opened.push(this);
    queueMicrotask(() => {
      this.readyState = FakeSocket.OPEN;
      this.onopen?.();
    });
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close(code: number, reason: string) {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }
  say(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const opened = (count: number) => vi.waitFor(() => expect(FakeSocket.opened).toHaveLength(count));
const socket = (place: number) => FakeSocket.opened[place] as FakeSocket;
const sent = (place: number, type: string) =>
  vi.waitFor(() => {
    const message = socket(place).sent.find((message) => message.type === type);
    if (!message) throw new Error(`no ${type}`);
    return message;
  });

let disposers: (() => void)[] = [];

function subscribe() {
  const client = createSocket();
  const seen = { client, events: [] as unknown[], errors: [] as unknown[] };
  const stop = client.subscribe(
    { query: "subscription { x }" },
    {
      next: (event) => seen.events.push(event.data),
      error: (error) => seen.errors.push(error),
      complete: () => {},
    },
  );
  disposers.push(stop, () => client.dispose());
  return seen;
}

beforeEach(() => {
  FakeSocket.opened = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.spyOn(Math, "random").mockReturnValue(0);
  storeToken("first");
});

afterEach(() => {
  for (const dispose of disposers) dispose();
  disposers = [];
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
});

test("sends the token and delivers events", async () => {
  const seen = subscribe();
  await opened(1);
  expect(socket(0).url).toMatch(/^ws.*\/graphql$/);
  expect(socket(0).protocol).toBe("graphql-transport-ws");
  expect(await sent(0, "connection_init")).toMatchObject({ payload: { token: "first" } });
  socket(0).say({ type: "connection_ack" });
  const { id } = await sent(0, "subscribe");
  socket(0).say({ type: "next", id, payload: { data: { x: 1 } } });
  await vi.waitFor(() => expect(seen.events).toEqual([{ x: 1 }]));
});

test("reconnects after the connection is lost, and reports that events may have been missed", async () => {
  const missed = vi.fn();
  disposers.push(onReconnect(missed));
  const seen = subscribe();
  await opened(1);
  await sent(0, "connection_init");
  socket(0).say({ type: "connection_ack" });
  await sent(0, "subscribe");
  expect(missed).not.toHaveBeenCalled();
  storeToken("second");
  socket(0).close(1013, "Busy");
  window.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(FakeSocket.opened).toHaveLength(2), { timeout: 3000 });
  expect(await sent(1, "connection_init")).toMatchObject({ payload: { token: "second" } });
  socket(1).say({ type: "connection_ack" });
  const { id } = await sent(1, "subscribe");
  expect(missed).toHaveBeenCalledOnce();
  socket(1).say({ type: "next", id, payload: { data: { x: 2 } } });
  await vi.waitFor(() => expect(seen.events).toEqual([{ x: 2 }]));
});

test("ends the session when the server closes the socket with 4403, and signing in leads back", async () => {
  window.history.replaceState(null, "", "/view-page/x?from=mail#part");
  const ended = vi.fn();
  disposers.push(onSessionEnd(ended));
  const seen = subscribe();
  await opened(1);
  await sent(0, "connection_init");
  socket(0).close(4403, "Forbidden: the session has ended");
  await vi.waitFor(() => expect(seen.errors).toHaveLength(1));
  expect([ended.mock.calls.length, token(), FakeSocket.opened.length]).toEqual([1, "", 1]);
  expect(takeReturnPath()).toBe("/view-page/x?from=mail#part");
});

test("keeps the session when another tab has replaced the token", async () => {
  const ended = vi.fn();
  disposers.push(onSessionEnd(ended));
  subscribe();
  await opened(1);
  await sent(0, "connection_init");
  storeToken("second");
  socket(0).close(4403, "Forbidden: the session has ended");
  await vi.waitFor(() => expect(FakeSocket.opened).toHaveLength(2), { timeout: 3000 });
  expect(await sent(1, "connection_init")).toMatchObject({ payload: { token: "second" } });
  expect(ended).not.toHaveBeenCalled();
});

test("closes when the page is left, and connects again when it comes back from the cache", async () => {
  closeWhenLeft(subscribe().client);
  await opened(1);
  await sent(0, "connection_init");
  window.dispatchEvent(new Event("pagehide"));
  expect(socket(0).readyState).toBe(3);
  await opened(2);
});
