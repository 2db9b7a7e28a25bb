import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/apiError";
import { startI18n } from "../testing/startI18n";
import { dismissToast, runToastAction, toastStore, toastSuccess } from "./toasts";
import { offerUndo, settleUndoable, undoable } from "./undo";

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

test("shows what was done and offers to undo it", () => {
  remove();
  expect(toastStore.get()).toMatchObject([
    {
      title: "Успешно!",
      text: "Страница «Циклы» удалена",
      action: { label: "Отменить" },
    },
  ]);
});

test("sends nothing after an undo, not even when the page closes", async () => {
  remove();
  runToastAction(newest());
  await settleUndoable(true);
  expect(undo).toHaveBeenCalledOnce();
  expect(commit).not.toHaveBeenCalled();
  expect(toastStore.get()).toEqual([]);
});

test("sends the call once when its toast disappears", async () => {
  remove();
  dismissToast(newest());
  await settleUndoable();
  expect(commit.mock.calls).toEqual([[false]]);
  expect(undo).not.toHaveBeenCalled();
});

test("sends the call when the page closes", () => {
  remove();
  window.dispatchEvent(new Event("pagehide"));
  expect(commit.mock.calls).toEqual([[true]]);
  expect(toastStore.get()).toEqual([]);
});

test("sends the call early when the screen is left", async () => {
  const settle = remove();
  await settle();
  await settle();
  expect(commit.mock.calls).toEqual([[false]]);
});

test("restores the state and shows the error when the call fails", async () => {
  commit.mockRejectedValueOnce(
    new ApiError({ url: "/graphql", status: 409, statusText: "", body: { detail: "Её уже меняют" } }),
  );
  await remove()();
  expect(undo).toHaveBeenCalledOnce();
  expect(toastStore.get()).toMatchObject([{ kind: "failure", text: "Её уже меняют" }]);
  dismissToast(newest());
});

test("Ctrl+Z runs the newest undo action without a toaster, except in a text field", () => {
  const run = vi.fn();
  offerUndo("Страница перемещена", run);
  toastSuccess("Курс создан.");
  const press = (target: Element) => {
    const event = new KeyboardEvent("keydown", {
      code: "KeyZ",
      key: "я",
      ctrlKey: true,
      bubbles: true,
      cancelable: true,
    });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const field = document.body.appendChild(document.createElement("textarea"));
  expect(press(field)).toBe(false);
  expect(run).not.toHaveBeenCalled();
  expect(press(document.body)).toBe(true);
  expect(run).toHaveBeenCalledOnce();
  expect(press(document.body)).toBe(false);
  expect(toastStore.get()).toMatchObject([{ text: "Курс создан." }]);
  dismissToast(newest());
  field.remove();
});
