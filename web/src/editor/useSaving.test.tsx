import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DraftKeeper } from "./drafts";
import { PageSaver, type Send } from "./PageSaver";
import { ofServer } from "./pageText";
import { useSaving } from "./useSaving";

const text = (title: string) => ofServer({ title, content: { type: "doc" } });

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function saverWith(send: Send): PageSaver {
  const drafts = new DraftKeeper(localStorage, { userId: "u", pageId: "p", session: "s" }, () => ({
    page: "",
    course: "",
  }));
  return new PageSaver({ version: 1, stored: text(""), send, drafts });
}

test("the screen is drawn anew when what it says of a save changes, and not with each letter", async () => {
  const saver = saverWith(async ({ title }) =>
    title === "абв"
      ? { type: "saved", version: 2 }
      : { type: "refused", refusal: { message: "нет", path: null } },
  );
  let drawn = 0;
  const { result } = renderHook(() => {
    drawn += 1;
    return useSaving(saver, (saving) => saving);
  });
  const before = drawn;
  act(() => saver.changed(text("а")));
  expect(result.current).toMatchObject({ standing: "saving", isSettled: false });
  expect(drawn).toBe(before + 1);
  act(() => saver.changed(text("аб")));
  act(() => saver.changed(text("абв")));
  expect(drawn).toBe(before + 1);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(result.current).toMatchObject({ standing: "saved", isSettled: true, trouble: null });
  act(() => saver.changed(text("г")));
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(result.current).toMatchObject({
    standing: "refused",
    trouble: { kind: "refused", refusal: { message: "нет" } },
  });
  saver.end();
});

test("who shows only troubles is not drawn anew with the first letter", async () => {
  const saver = saverWith(async () => ({ type: "unanswered" }));
  let drawn = 0;
  const { result } = renderHook(() => {
    drawn += 1;
    return useSaving(saver, ({ trouble }) => ({ trouble }));
  });
  const before = drawn;
  act(() => saver.changed(text("а")));
  expect(drawn).toBe(before);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(result.current).toMatchObject({ trouble: { kind: "unreachable" } });
  expect(drawn).toBe(before + 1);
  saver.end();
});
