// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openTimes } from "../testing/openTimes";
import { startI18n } from "../testing/startI18n";
import { PartTimes } from "./PartTimes";

beforeAll(startI18n);
beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 11, 4, 12) }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const due = { ...openTimes, dueAt: new Date(2026, 11, 5, 10).toISOString() };

test("the wording of a due date follows the clock while the screen is open", () => {
  render(<PartTimes times={due} isDone={false} zone={null} />);
  expect(screen.getByText(/^Завтра до/)).toBeTruthy();
  act(() => void vi.advanceTimersByTime(12 * 3_600_000 + 2000));
  expect(screen.getByText(/^Сегодня до/)).toBeTruthy();
  act(() => void vi.advanceTimersByTime(10 * 3_600_000));
  expect(screen.getByText(/^Просрочено/)).toBeTruthy();
});

test("a completed part never becomes overdue", () => {
  render(<PartTimes times={due} isDone zone={null} />);
  expect(vi.getTimerCount()).toBe(0);
});
