// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { openTimes } from "../testing/openTimes";
import { startI18n } from "../testing/startI18n";
import type { QuizPageState } from "./model";
import { QuizTimes } from "./QuizTimes";

const DAY = 86_400_000;

beforeAll(startI18n);
beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-12-01T12:00:00Z") }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const late = {
  isCompleted: false,
  attempts: [],
  course: { timeZone: null },
  latePenaltyPerDay: 10,
  latePenaltyMax: 15,
  timeline: {
    ...openTimes,
    dueAt: "2026-12-01T12:05:00Z",
    lateUntil: "2026-12-10T12:00:00Z",
    penaltyPercent: 0,
    reasons: [],
  },
} as unknown as QuizPageState;

it("announces no penalty to staff who try a quiz", () => {
  vi.setSystemTime(new Date("2026-12-03T12:00:00Z"));
  render(<QuizTimes page={late} mode="try" />);
  expect(screen.queryByText(/Сейчас результат снизится/)).toBeNull();
});

it("announces the penalty that begins while the quiz is open, and each day of it", () => {
  render(<QuizTimes page={late} mode="take" />);
  expect(screen.queryByText(/Сейчас результат снизится/)).toBeNull();
  expect(screen.queryByText(/Просрочено/)).toBeNull();
  act(() => void vi.advanceTimersByTime(5 * 60_000 + 2_000));
  expect(screen.getByText(/Сейчас результат снизится на 10/)).toBeTruthy();
  expect(screen.getByText(/Просрочено/)).toBeTruthy();
  act(() => void vi.advanceTimersByTime(DAY));
  expect(screen.getByText(/Сейчас результат снизится на 15/)).toBeTruthy();
});
