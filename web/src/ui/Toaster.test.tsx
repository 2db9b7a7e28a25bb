import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startI18n } from "../testing/startI18n";
import { Toaster } from "./Toaster";
import { toastProblem } from "./toastProblem";
import { dismissToast, showToast, toastFailure, toastStore, toastSuccess } from "./toasts";

beforeAll(startI18n);

let looking = true;
beforeEach(() => {
  looking = true;
  vi.useFakeTimers();
  vi.spyOn(document, "hasFocus").mockImplementation(() => looking);
  render(<Toaster />);
});
afterEach(() => {
  act(() => toastStore.get().forEach(({ id }) => void dismissToast(id)));
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const look = (now: boolean) =>
  act(() => {
    looking = now;
    window.dispatchEvent(new Event(now ? "focus" : "blur"));
  });

test("a success disappears after four seconds, a failure after eight", async () => {
  act(() => toastSuccess("Курс создан."));
  act(() => toastFailure(new Error("boom")));
  expect(screen.getByRole("status").textContent).toContain("Успешно!");
  expect(screen.getByRole("alert").textContent).toContain("Что-то пошло не так!");
  await pass(4100);
  expect(screen.queryByRole("status")).toBeNull();
  await pass(4000);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a toast about the missing network closes when the network is back, and others stay", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  act(() => toastFailure(new TypeError("Failed to fetch")));
  act(() => toastFailure(new Error("boom")));
  expect(screen.getByText("Нет соединения")).toBeTruthy();
  act(() => void window.dispatchEvent(new Event("online")));
  expect(screen.queryByText("Нет соединения")).toBeNull();
  expect(screen.getAllByRole("alert")).toHaveLength(1);
});

test("a problem is told in the words of the app", () => {
  act(() => toastProblem("Изменения не сохранены."));
  expect(screen.getByRole("alert").textContent).toContain("Изменения не сохранены.");
});

test("a toast with an action stays for eight seconds, to leave time to reach its button by keyboard", async () => {
  const onGone = vi.fn();
  const action = { label: "Отменить", run: () => {} };
  act(() => void showToast({ kind: "success", title: "", text: "Вопрос удалён", action, onGone }));
  await pass(7900);
  expect(screen.getByText("Вопрос удалён")).toBeTruthy();
  await pass(200);
  expect(screen.queryByText("Вопрос удалён")).toBeNull();
  expect(onGone).toHaveBeenCalledOnce();
});

test("the time is paused while the page is hidden or unfocused", async () => {
  act(() => toastSuccess("Курс создан."));
  await pass(3000);
  look(false);
  await pass(60_000);
  expect(screen.getByRole("status")).toBeTruthy();
  look(true);
  await pass(900);
  expect(screen.getByRole("status")).toBeTruthy();
  await pass(200);
  expect(screen.queryByRole("status")).toBeNull();
});
