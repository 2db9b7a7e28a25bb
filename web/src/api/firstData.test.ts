import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { firstData, loadsMeanwhile } from "./firstData";

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

test("the first screen is drawn when its data is here, whatever has come of it", async () => {
  let answer: (value: string) => void = () => {};
  loadsMeanwhile(new Promise((resolve) => (answer = resolve)));
  loadsMeanwhile(Promise.reject(new Error("refused")));
  const first = firstData();
  expect(await isOver(first)).toBe(false);
  answer("here");
  expect(await isOver(first)).toBe(true);
  expect(await isOver(firstData())).toBe(true);
});

test("and with its own outline when the answer takes long", async () => {
  loadsMeanwhile(new Promise(() => {}));
  const first = firstData();
  await vi.advanceTimersByTimeAsync(499);
  expect(await isOver(first)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isOver(first)).toBe(true);
});
