import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useAtMoment } from "./useAtMoment";

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
