import { ApolloClient, ApolloLink, InMemoryCache, Observable } from "@apollo/client";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startI18n } from "../testing/startI18n";
import { hiddenItems } from "../ui/hiddenItems";
import { dismissToast, runToastAction, toastStore } from "../ui/toasts";
import { settleUndoable } from "../ui/undo";
import { OverrideConflict, removeOverride, setOverride, toastSet } from "./changeOverrides";
import { none } from "./override.fixture";
import { inputOf, limitsOfOverride, type Override, withoutAdded } from "./overrides";

beforeAll(startI18n);
afterEach(() => settleUndoable());

const old = { ...none, pageId: "q", extraAttempts: 1 };
const input = { ...inputOf(old, "c"), extraAttempts: 2 };

/** The overrides of the server. A new one replaces that of the same place and keeps its id. */
let stored: Override[];
let calls: string[];
/** Answers the deletion that waits for it. */
let answer: (() => void) | null;
let isSlow: boolean;
beforeEach(() => {
  stored = [old];
  calls = [];
  answer = null;
  isSlow = false;
});

const client = new ApolloClient({
  cache: new InMemoryCache(),
  link: new ApolloLink(({ operationName, variables }) => {
    calls.push(operationName ?? "");
    return new Observable((observer) => {
      const send = (data: object) => {
        observer.next({ data });
        observer.complete();
      };
      const isStale = (one: Override | undefined, expected: object | null | undefined) =>
        expected !== undefined &&
        JSON.stringify(one ? limitsOfOverride(one) : null) !== JSON.stringify(expected);
      const conflict = (one: Override | undefined) => ({
        message: "Изменено",
        scheduleOverride: one ?? null,
      });
      if (operationName === "DeleteOverride") {
        const { overrideId, expected } = variables.input;
        const one = stored.find(({ id }) => id === overrideId);
        if (isStale(one, expected))
          return send({ deleteOverride: { overrideId: null, conflict: conflict(one) } });
        const remove = () => {
          stored = stored.filter(({ id }) => id !== overrideId);
          send({ deleteOverride: { overrideId, conflict: null } });
        };
        if (isSlow) answer = remove;
        else remove();
        return;
      }
      const there = stored.find((one) => one.pageId === variables.input.pageId);
      if (isStale(there, variables.input.expected))
        return send({ setOverride: { scheduleOverride: null, conflict: conflict(there) } });
      const id = there?.id ?? "new";
      const set = { ...old, id, pageId: variables.input.pageId, extraAttempts: 2 };
      stored = [...stored.filter((one) => one.id !== id), set];
      send({ setOverride: { scheduleOverride: set, conflict: null } });
    });
  }),
});
const remove = () => removeOverride(client, "c", old, "Продление удалено");
const newest = () => Number(toastStore.get().at(-1)?.id);

test("a deletion that waits for its toast does not take the override that is set meanwhile", async () => {
  remove();
  const set = await setOverride(client, input);
  await settleUndoable();
  expect(calls).toEqual(["DeleteOverride", "SetOverride"]);
  expect(stored.map(({ id }) => id)).toEqual(["new"]);
  expect(hiddenItems.get().has(set?.id ?? "")).toBe(false);
});

test("an override is set after a deletion of the same one that is under way", async () => {
  isSlow = true;
  remove();
  dismissToast(newest());
  const setting = setOverride(client, input);
  await Promise.resolve();
  expect(calls).toEqual(["DeleteOverride"]);
  answer?.();
  await setting;
  expect(calls).toEqual(["DeleteOverride", "SetOverride"]);
  expect(stored).toHaveLength(1);
});

test("a deletion of another override waits for its own toast", async () => {
  remove();
  await setOverride(client, { ...input, pageId: "other" });
  expect(calls).toEqual(["SetOverride"]);
  runToastAction(newest());
  expect(hiddenItems.get().has("o")).toBe(false);
});

test("a deletion takes no override that somebody else has changed, and shows it again", async () => {
  remove();
  const changed = { ...old, extraAttempts: 5 };
  stored = [changed];
  await settleUndoable();
  expect(stored).toEqual([changed]);
  expect(hiddenItems.get().has("o")).toBe(false);
  expect(toastStore.get().at(-1)?.text).toBe("Изменено");
});

test("setting an override that somebody else has changed rejects with what is stored", async () => {
  const setting = setOverride(client, { ...input, expected: null });
  await expect(setting).rejects.toBeInstanceOf(OverrideConflict);
  await expect(setting).rejects.toMatchObject({ stored: { id: "o", extraAttempts: 1 }, status: 409 });
});

test("undoing changes nothing that somebody else has changed since", async () => {
  const set = { ...old, extraAttempts: 2 };
  for (const before of [old, undefined]) {
    const changed = { ...set, dueAt: "2090-12-01T10:00:00Z" };
    stored = [changed];
    calls = [];
    toastSet(client, "c", set, before, "Сохранено");
    runToastAction(newest());
    await vi.waitFor(() => expect(toastStore.get().at(-1)?.text).toBe("Изменено"));
    expect(calls).toEqual([before ? "SetOverride" : "DeleteOverride"]);
    expect(stored).toEqual([changed]);
    dismissToast(newest());
  }
});

test("an added attempt is taken back without those that others have added", () => {
  const set = (extraAttempts: number | null, more: Partial<Override> = {}): Override => ({
    ...old,
    extraAttempts,
    ...more,
  });
  expect(withoutAdded(set(1), undefined, undefined)).toBeUndefined();
  expect(withoutAdded(set(2), undefined, undefined)).toMatchObject({ extraAttempts: 1 });
  expect(withoutAdded(set(4), undefined, set(3))).toBeUndefined();
  expect(withoutAdded(set(4), set(3), set(3))).toMatchObject({ extraAttempts: 3 });
  const due = { dueAt: "2090-12-01T10:00:00Z" };
  expect(withoutAdded(set(1, due), undefined, undefined)).toMatchObject({ ...due, extraAttempts: null });
  const lifted = set(null, { lifted: ["EXTRA_ATTEMPTS"] });
  expect(withoutAdded(lifted, lifted, undefined)).toEqual(lifted);
  expect(withoutAdded(lifted, undefined, lifted)).toBeUndefined();
});
