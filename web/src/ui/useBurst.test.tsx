import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useBurst } from "./useBurst";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function start() {
  const called = vi.fn();
  const { result, unmount } = renderHook(() => useBurst(called, 1000, 2000));
  return { called, call: result.current, unmount };
}

test("a burst makes one call after its pause", () => {
  const { called, call } = start();
  call();
  vi.advanceTimersByTime(900);
  call();
  vi.advanceTimersByTime(999);
  expect(called).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(called).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(5000);
  expect(called).toHaveBeenCalledTimes(1);
});

test("calls in quick succession delay it by at most two seconds", () => {
  const { called, call } = start();
  for (let at = 0; at < 7000; at += 500) {
    call();
    vi.advanceTimersByTime(500);
  }
  expect(called.mock.calls.length).toBeGreaterThanOrEqual(3);
});

test("nothing is called after unmounting", () => {
  const { called, call, unmount } = start();
  call();
  unmount();
  vi.advanceTimersByTime(5000);
  expect(called).not.toHaveBeenCalled();
});
