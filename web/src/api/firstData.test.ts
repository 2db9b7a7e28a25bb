import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { firstData, startRequest } from "./firstData";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function isOver(promise: Promise<void>): Promise<boolean> {
  let over = false;
  void promise.then(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return over;
}

test("the first screen waits until its requests succeed or fail", async () => {
  let answer: (value: string) => void = () => {};
  startRequest(new Promise((resolve) => (answer = resolve)));
  startRequest(Promise.reject(new Error("refused")));
  const first = firstData();
  expect(await isOver(first)).toBe(false);
  answer("here");
  expect(await isOver(first)).toBe(true);
  expect(await isOver(firstData())).toBe(true);
});

test("the first screen waits at most 500 ms", async () => {
  startRequest(new Promise(() => {}));
  const first = firstData();
  await vi.advanceTimersByTimeAsync(499);
  expect(await isOver(first)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isOver(first)).toBe(true);
});
