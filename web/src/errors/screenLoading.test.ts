import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recoverScreen } from "./screenLoading";

const reload = vi.fn();
const fetched = vi.fn<() => Promise<Response>>();
const { location } = window;

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  vi.stubGlobal("fetch", fetched);
  Object.defineProperty(window, "location", { configurable: true, value: { reload } });
});
afterEach(() => {
  Object.defineProperty(window, "location", { configurable: true, value: location });
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.resetAllMocks();
});

test("the page is reloaded once the server answers again", async () => {
  fetched.mockRejectedValue(new TypeError("no network"));
  const stop = recoverScreen();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(reload).not.toHaveBeenCalled();
  fetched.mockResolvedValue(new Response());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reload).toHaveBeenCalledOnce();
  stop();
});

test("a screen that fails again soon after is reloaded after 30 seconds", async () => {
  fetched.mockResolvedValue(new Response());
  sessionStorage.setItem("reloaded_at", String(Date.now()));
  const stop = recoverScreen();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reload).toHaveBeenCalledOnce();
  stop();
});

test("an answer that arrives after the screen was left reloads nothing, and nothing is tried again", async () => {
  let answer: (response: Response) => void = () => {};
  fetched.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const stop = recoverScreen();
  await vi.advanceTimersByTimeAsync(0);
  expect(fetched).toHaveBeenCalledOnce();
  stop();
  answer(new Response());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reload).not.toHaveBeenCalled();
  expect(fetched).toHaveBeenCalledOnce();
});

test("nothing is reloaded after the screen was left", async () => {
  fetched.mockResolvedValue(new Response());
  recoverScreen()();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reload).not.toHaveBeenCalled();
});
