import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Address } from "../preview/address";
import { PreviewContext } from "../preview/context";
import { useAtMoment } from "./useAtMoment";
import { useNow } from "./useNow";

const DAY = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Waiting({ at, act }: { at: string | null; act: () => void }) {
  useAtMoment(at, act);
  return null;
}

function wait(ahead: number) {
  const act = vi.fn();
  render(<Waiting at={new Date(Date.now() + ahead).toISOString()} act={act} />);
  return act;
}

test("acts once, after the moment", () => {
  const act = wait(DAY);
  vi.advanceTimersByTime(DAY);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60 * DAY);
  expect(act).toHaveBeenCalledTimes(1);
});

test("sets no timer for a moment that is past or more than 24 days ahead", () => {
  for (const ahead of [-1000, 25 * DAY]) {
    const act = wait(ahead);
    expect(vi.getTimerCount()).toBe(0);
    expect(act).not.toHaveBeenCalled();
  }
});

test("in a preview the clock stands still at the chosen moment, and runs if there is none", () => {
  const chosen = new Date("2090-12-01T09:00Z");
  const soon = new Date(Date.now() + 1000).toISOString();
  const act = vi.fn();
  const shown: Date[] = [];
  function Clock() {
    shown.push(useNow());
    return <Waiting at={soon} act={act} />;
  }
  const preview = { at: chosen } as Address;
  render(
    <PreviewContext value={preview}>
      <Clock />
    </PreviewContext>,
  );
  expect(shown).toEqual([chosen]);
  vi.advanceTimersByTime(DAY);
  expect(act).not.toHaveBeenCalled();
  const start = Date.now();
  render(
    <PreviewContext value={{ ...preview, at: null }}>
      <Clock />
    </PreviewContext>,
  );
  expect(shown[1]?.getTime()).toBe(start);
});

test("a device that was asleep at the moment updates when the screen becomes visible", () => {
  const act = wait(DAY);
  vi.setSystemTime(Date.now() + DAY / 2);
  document.dispatchEvent(new Event("visibilitychange"));
  expect(act).not.toHaveBeenCalled();
  vi.setSystemTime(Date.now() + DAY);
  document.dispatchEvent(new Event("visibilitychange"));
  document.dispatchEvent(new Event("visibilitychange"));
  vi.advanceTimersByTime(2 * DAY);
  expect(act).toHaveBeenCalledTimes(1);
});

test("the clock advances at each moment and notifies", () => {
  const start = Date.now();
  const onChange = vi.fn();
  const shown: number[] = [];
  const moments = [start + DAY, start + 2 * DAY].map((ms) => new Date(ms).toISOString());
  function Clock() {
    const now = useNow((now) => moments.find((at) => Date.parse(at) > now.getTime()) ?? null, onChange);
    shown.push(now.getTime() - start);
    return null;
  }
  render(<Clock />);
  act(() => void vi.advanceTimersByTime(DAY + 1000));
  act(() => void vi.advanceTimersByTime(60 * DAY));
  expect([...new Set(shown)]).toEqual([0, DAY + 1000, 2 * DAY + 1000]);
  expect(onChange).toHaveBeenCalledTimes(2);
});
