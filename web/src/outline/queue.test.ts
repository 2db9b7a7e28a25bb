import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../api/apiError";
import { endSession, storeToken } from "../api/session";
import { Queue } from "./queue";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const unreachable = () => Promise.reject(ApiError.unreachable("/graphql", new TypeError("no network")));
const refused = () =>
  Promise.reject(new ApiError({ url: "/graphql", status: 422, statusText: "", body: { detail: "no" } }));

describe("a queue of calls", () => {
  test("sends one after another and reports when all are saved", async () => {
    const drained = vi.fn();
    const queue = new Queue(drained);
    const order: string[] = [];
    const call = (name: string) => async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      return name;
    };
    const both = [queue.push(call("one")), queue.push(call("two"))];
    expect(queue.state.get()).toBe("saving");
    expect(await Promise.all(both)).toEqual(["one", "two"]);
    await vi.runAllTimersAsync();
    expect(order).toEqual(["one begins", "one ends", "two begins", "two ends"]);
    expect(queue.state.get()).toBe("saved");
    expect(drained).toHaveBeenCalledOnce();
  });

  test("rejects the refused call and goes on", async () => {
    const queue = new Queue();
    const bad = queue.push(refused);
    const good = queue.push(async () => "good");
    await expect(bad).rejects.toThrow();
    expect(await good).toBe("good");
  });

  test("waits for the network and sends the failed call again", async () => {
    const queue = new Queue();
    const send = vi.fn().mockImplementationOnce(unreachable).mockResolvedValue("arrived");
    const answer = queue.push(send);
    const after = queue.push(async () => "after");
    await vi.advanceTimersByTimeAsync(10);
    expect(queue.state.get()).toBe("offline");
    window.dispatchEvent(new Event("online"));
    expect(await answer).toBe("arrived");
    expect(await after).toBe("after");
    expect(send).toHaveBeenCalledTimes(2);
  });

  test("retries after a delay", async () => {
    const queue = new Queue();
    const send = vi.fn().mockImplementationOnce(unreachable).mockResolvedValue("arrived");
    const answer = queue.push(send);
    await vi.advanceTimersByTimeAsync(6000);
    expect(await answer).toBe("arrived");
  });

  test("forgets waiting calls when the session ends", async () => {
    storeToken("token");
    const queue = new Queue();
    const send = vi.fn().mockImplementation(unreachable);
    void queue.push(send);
    const next = vi.fn();
    void queue.push(next);
    await vi.advanceTimersByTimeAsync(10);
    endSession();
    await vi.advanceTimersByTimeAsync(60_000);
    window.dispatchEvent(new Event("online"));
    expect(send).toHaveBeenCalledOnce();
    expect(next).not.toHaveBeenCalled();
    expect(queue.state.get()).toBe("saved");
    expect(await queue.push(async () => "of the next session")).toBe("of the next session");
  });

  test("does not retry a call that is not idempotent", async () => {
    const queue = new Queue();
    const send = vi.fn().mockImplementation(unreachable);
    await expect(queue.push(send, { retry: false })).rejects.toMatchObject({ isUnreachable: true });
    expect(send).toHaveBeenCalledOnce();
  });
});
