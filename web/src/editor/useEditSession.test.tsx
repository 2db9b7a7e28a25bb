import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EditSession, type EditState } from "./EditSession";
import type { Send } from "./PageSaver";
import { openPage } from "./testing/openPage";
import { useEditSession } from "./useEditSession";

const send = vi.hoisted(() => vi.fn<Send>());
vi.mock("./sendPage", () => ({ sendPage: () => send }));

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("renders again when the save status changes, and not with every key press", async () => {
  send.mockImplementation(async ({ title }) =>
    title === "абв"
      ? { type: "saved", version: 2 }
      : { type: "refused", refusal: { message: "нет", path: null } },
  );
  const session = new EditSession({} as never, openPage(), "u");
  let renders = 0;
  const choose = ({ status, isSettled, problem }: EditState) => ({
    status,
    isSettled,
    problem,
  });
  const { result } = renderHook(() => {
    renders += 1;
    return useEditSession(session, choose);
  });
  const before = renders;
  act(() => session.setTitle("а"));
  expect(result.current).toMatchObject({ status: "saving", isSettled: false });
  expect(renders).toBe(before + 1);
  act(() => session.setTitle("аб"));
  act(() => session.setTitle("абв"));
  expect(renders).toBe(before + 1);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(result.current).toMatchObject({ status: "saved", isSettled: true, problem: null });
  act(() => session.setTitle("г"));
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(result.current).toMatchObject({
    status: "refused",
    problem: { kind: "refused", refusal: { message: "нет" } },
  });
  session.saver.end();
});

it("does not render a component that shows only problems again with the first key press", async () => {
  send.mockImplementation(async () => ({ type: "unanswered" }));
  const session = new EditSession({} as never, openPage(), "u");
  let renders = 0;
  const { result } = renderHook(() => {
    renders += 1;
    return useEditSession(session, ({ problem }) => ({ problem }));
  });
  const before = renders;
  act(() => session.setTitle("а"));
  expect(renders).toBe(before);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(result.current).toMatchObject({ problem: { kind: "unreachable" } });
  expect(renders).toBe(before + 1);
  session.saver.end();
});
