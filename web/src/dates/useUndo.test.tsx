import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/apiError";
import { startI18n } from "../testing/startI18n";
import { toastStore } from "../ui/toasts";
import { useUndo } from "./useUndo";

beforeAll(startI18n);
beforeEach(() => toastStore.setState(() => []));
afterEach(cleanup);

const open = () => renderHook(() => useUndo()).result.current;
const shown = () => toastStore.get().map(({ text }) => text);

/** A promise with its ends. */
function later() {
  let resolve = () => {};
  let reject = (_: unknown) => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

test("the change of a save that waits for its answer is taken back first", async () => {
  const undo = open();
  const taken: string[] = [];
  undo.offer(async () => taken.push("first"));
  const save = later();
  undo.follow(save.promise.then(() => undo.offer(async () => taken.push("second"))));
  undo.undoLast();
  await Promise.resolve();
  expect(taken).toEqual([]);
  save.resolve();
  await waitFor(() => expect(taken).toEqual(["second"]));
});

test("two changes are taken back one after the other", async () => {
  const undo = open();
  const taken: string[] = [];
  const second = later();
  undo.offer(async () => taken.push("first"));
  undo.offer(async () => {
    taken.push("second");
    await second.promise;
  });
  undo.undoLast();
  undo.undoLast();
  await waitFor(() => expect(taken).toEqual(["second"]));
  await new Promise((go) => setTimeout(go));
  expect(taken).toEqual(["second"]);
  second.resolve();
  await waitFor(() => expect(taken).toEqual(["second", "first"]));
});

test("a change is offered again when no answer came, but not when it was refused", async () => {
  const undo = open();
  const refused = new ApiError({ url: "/graphql", status: 409, statusText: "Conflict", body: {} });
  const run = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(ApiError.unreachable("/graphql", undefined))
    .mockRejectedValueOnce(refused);
  undo.offer(run);
  for (const times of [1, 2, 2]) {
    undo.undoLast();
    await waitFor(() => expect(run).toHaveBeenCalledTimes(times));
    await new Promise((go) => setTimeout(go));
  }
  expect(run).toHaveBeenCalledTimes(2);
  expect(shown()).toHaveLength(2);
});
