import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useReachedEnd } from "./useReachedEnd";

let intersect: (isIntersecting: boolean) => void;
let visibility = "visible";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        intersect = (isIntersecting) => callback([{ isIntersecting }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  visibility = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(
    () => visibility as DocumentVisibilityState,
  );
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const show = (state: string) =>
  act(() => {
    visibility = state;
    document.dispatchEvent(new Event("visibilitychange"));
  });

function open() {
  const reached = vi.fn();
  const marker = { current: document.createElement("div") };
  renderHook(() => useReachedEnd(marker, reached));
  return reached;
}

it("reports the visible end of a short page after a second", () => {
  const reached = open();
  intersect(true);
  vi.advanceTimersByTime(999);
  expect(reached).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(reached).toHaveBeenCalledOnce();
});

it("reports it after the return to a tab that was left within the second", () => {
  const reached = open();
  intersect(true);
  vi.advanceTimersByTime(500);
  show("hidden");
  vi.advanceTimersByTime(60_000);
  expect(reached).not.toHaveBeenCalled();
  show("visible");
  vi.advanceTimersByTime(1000);
  expect(reached).toHaveBeenCalledOnce();
});
