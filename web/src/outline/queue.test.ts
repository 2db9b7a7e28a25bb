import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../api/apiError";
import { Queue } from "./queue";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const unreachable = () => Promise.reject(ApiError.unreachable("/graphql", new TypeError("no network")));
const refused = () =>
  Promise.reject(new ApiError({ url: "/graphql", status: 422, statusText: "", body: { detail: "no" } }));

describe("a queue of calls", () => {
  test("sends one after another and says when all of it is saved", async () => {
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
    expect(queue.state).toBe("saving");
    expect(await Promise.all(both)).toEqual(["one", "two"]);
    await vi.runAllTimersAsync();
    expect(order).toEqual(["one begins", "one ends", "two begins", "two ends"]);
    expect(queue.state).toBe("saved");
    expect(drained).toHaveBeenCalledOnce();
  });

  test("tells a refusal to who asked, and goes on", async () => {
    const queue = new Queue();
    const bad = queue.push(refused);
    const good = queue.push(async () => "good");
    await expect(bad).rejects.toThrow();
    expect(await good).toBe("good");
  });

  test("waits for the network and sends again what it was about to send", async () => {
    const queue = new Queue();
    const send = vi.fn().mockImplementationOnce(unreachable).mockResolvedValue("arrived");
    const answer = queue.push(send);
    const after = queue.push(async () => "after");
    await vi.advanceTimersByTimeAsync(10);
    expect(queue.state).toBe("offline");
    window.dispatchEvent(new Event("online"));
    expect(await answer).toBe("arrived");
    expect(await after).toBe("after");
    expect(send).toHaveBeenCalledTimes(2);
  });

  test("tries again by itself after a while", async () => {
    const queue = new Queue();
    const send = vi.fn().mockImplementationOnce(unreachable).mockResolvedValue("arrived");
    const answer = queue.push(send);
    await vi.advanceTimersByTimeAsync(6000);
    expect(await answer).toBe("arrived");
  });

  test("does not send twice what must not be done twice", async () => {
    const queue = new Queue();
    const send = vi.fn().mockImplementation(unreachable);
    await expect(queue.push(send, { patient: false })).rejects.toMatchObject({ isUnreachable: true });
    expect(send).toHaveBeenCalledOnce();
  });
});
