import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/apiError";
import { startI18n } from "../i18n";
import { toastStore } from "./toasts";
import { settleUndoable, undoable } from "./undo";

beforeAll(startI18n);

const commit = vi.fn(async (_leaving: boolean) => {});
const undo = vi.fn();
const remove = () => undoable({ text: "Страница «Циклы» удалена", commit, undo });
const newest = () => Number(toastStore.get().at(-1)?.id);

beforeEach(() => {
  commit.mockReset();
  undo.mockReset();
});
afterEach(() => settleUndoable());

test("says what was done and offers to take it back", () => {
  remove();
  expect(toastStore.get()).toMatchObject([
    {
      title: "Успешно!",
      text: "Страница «Циклы» удалена",
      action: { label: "Отменить" },
    },
  ]);
});

test("taken back, nothing is sent, not even on leave", async () => {
  remove();
  toastStore.act(newest());
  await settleUndoable(true);
  expect(undo).toHaveBeenCalledOnce();
  expect(commit).not.toHaveBeenCalled();
  expect(toastStore.get()).toEqual([]);
});

test("is sent once when its toast goes", async () => {
  remove();
  toastStore.dismiss(newest());
  await settleUndoable();
  expect(commit.mock.calls).toEqual([[false]]);
  expect(undo).not.toHaveBeenCalled();
});

test("is sent when the page goes away", () => {
  remove();
  window.dispatchEvent(new Event("pagehide"));
  expect(commit.mock.calls).toEqual([[true]]);
  expect(toastStore.get()).toEqual([]);
});

test("is sent before its time by a screen that is left", async () => {
  const settle = remove();
  await settle();
  await settle();
  expect(commit.mock.calls).toEqual([[false]]);
});

test("comes back when the call fails, and says why", async () => {
  commit.mockRejectedValueOnce(
    new ApiError({ url: "/graphql", status: 409, statusText: "", body: { detail: "Её уже меняют" } }),
  );
  await remove()();
  expect(undo).toHaveBeenCalledOnce();
  expect(toastStore.get()).toMatchObject([{ kind: "failure", text: "Её уже меняют" }]);
  toastStore.dismiss(newest());
});
