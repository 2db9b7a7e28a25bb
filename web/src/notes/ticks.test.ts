import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { CombinedGraphQLErrors } from "@apollo/client/errors";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createCache } from "../api/cache";
import { startI18n } from "../testing/startI18n";
import { keepJson, keysWith } from "../ui/localJson";
import { toastStore } from "../ui/toasts";
import { sendLeftTicks, shownTicks, type Tick, tickKey, tickTask, unsentTicks } from "./ticks";

beforeAll(() => startI18n());
let users = 0;
let userId = "";
beforeEach(() => {
  users += 1;
  // What is left of another person is not sent.
  userId = `user-${users}`;
  unsentTicks.setState(() => new Map());
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
  toastStore.setState(() => []);
});

const tick = (task: number, isTicked: boolean, pageId = "p", version = 1): Tick => ({
  pageId,
  version,
  task,
  isTicked,
});

/** A client whose calls wait until the test answers them. */
function server() {
  const calls: { input: Tick; answer: () => void; fail: (error: Error) => void }[] = [];
  const link = new ApolloLink(
    ({ variables }) =>
      new Observable((observer) => {
        const page = { __typename: "Page", id: "p", tickedTasks: [], tickedVersion: null };
        calls.push({
          input: variables.input,
          answer: () => {
            observer.next({ data: { tickTask: { __typename: "KeptPayload", page } } });
            observer.complete();
          },
          fail: (error) => observer.error(error),
        });
      }),
  );
  return { client: new ApolloClient({ link, cache: createCache(), dataMasking: true }), calls };
}

const settled = () => vi.waitFor(() => new Promise((resolve) => setTimeout(resolve, 0)));

test("ticks that are not sent yet are shown over those of the server, in their version of the text", () => {
  const ticks = [tick(1, false), tick(2, true), tick(3, true, "other"), tick(4, true, "p", 2)];
  const unsent = new Map(ticks.map((one) => [tickKey(one), one]));
  expect([...shownTicks({ id: "p", version: 1 }, [0, 1], unsent)]).toEqual([0, 2]);
  expect([...shownTicks({ id: "p", version: 2 }, [], unsent)]).toEqual([4]);
  expect([...shownTicks({ id: "other", version: 1 }, [], unsent)]).toEqual([3]);
});

test("ticks are sent one at a time, and the latest tick of a task is sent last", async () => {
  const { client, calls } = server();
  tickTask(client, userId, tick(0, true));
  tickTask(client, userId, tick(1, true));
  tickTask(client, userId, tick(0, false));
  await settled();
  expect(calls.map(({ input }) => input)).toEqual([tick(0, true)]);
  calls[0]?.answer();
  await settled();
  expect(calls[1]?.input).toEqual(tick(1, true));
  calls[1]?.answer();
  await settled();
  expect(calls[2]?.input).toEqual(tick(0, false));
  expect(unsentTicks.get().size).toBe(1);
  calls[2]?.answer();
  await settled();
  expect(unsentTicks.get().size).toBe(0);
  expect(keysWith("unsent-tick:")).toEqual([]);
  expect(calls).toHaveLength(3);
});

test("a tick without an answer waits for the network, and survives a closed tab", async () => {
  const { client, calls } = server();
  tickTask(client, userId, tick(0, true));
  await settled();
  calls[0]?.fail(new TypeError("Failed to fetch"));
  await settled();
  expect(keysWith("unsent-tick:")).toHaveLength(1);
  window.dispatchEvent(new Event("online"));
  await settled();
  expect(calls).toHaveLength(2);
  calls[1]?.answer();
  await settled();

  // Left by a tab that was closed.
  keepJson("unsent-tick:later:p:1:5", { ...tick(5, true), savedAt: 1 });
  sendLeftTicks(client, "later");
  await settled();
  expect(calls[2]?.input).toEqual(tick(5, true));
  calls[2]?.answer();
  await settled();
  expect(keysWith("unsent-tick:")).toEqual([]);
});

test("a tick without an answer is sent again after some time", async () => {
  const { client, calls } = server();
  tickTask(client, userId, tick(0, true));
  await settled();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  calls[0]?.fail(new TypeError("Failed to fetch"));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(calls).toHaveLength(2);
  calls[1]?.answer();
  await vi.advanceTimersByTimeAsync(1);
  expect(unsentTicks.get().size).toBe(0);
});

test("a refused tick is taken back and told", async () => {
  const { client, calls } = server();
  tickTask(client, userId, tick(0, true));
  await settled();
  const errors = [{ message: "Слишком много", extensions: { code: "CONFLICT" } }];
  calls[0]?.fail(new CombinedGraphQLErrors({ errors }));
  await settled();
  expect(unsentTicks.get().size).toBe(0);
  expect(toastStore.get().map(({ text }) => text)).toEqual(["Слишком много"]);
  // The page may have changed, so it is read again.
  expect(calls).toHaveLength(2);
});
