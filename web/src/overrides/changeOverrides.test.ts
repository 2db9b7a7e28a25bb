import { ApolloClient, ApolloLink, InMemoryCache, Observable } from "@apollo/client";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startI18n } from "../testing/startI18n";
import { hiddenItems } from "../ui/hiddenItems";
import { dismissToast, runToastAction, toastStore } from "../ui/toasts";
import { settleUndoable } from "../ui/undo";
import { removeOverride, setOverride } from "./changeOverrides";
import { inputOf, type Override } from "./overrides";

beforeAll(startI18n);
afterEach(() => settleUndoable());

const old: Override = {
  id: "o",
  group: null,
  student: { id: "s", fullName: "Анна", email: "anna@example.com" },
  moduleId: null,
  lessonId: null,
  pageId: "q",
  availableFrom: null,
  availableUntil: null,
  dueAt: null,
  lateUntil: null,
  extraAttempts: 1,
  timeFactor: null,
  lifted: [],
};
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
      if (operationName === "DeleteOverride") {
        const { overrideId } = variables.input;
        const remove = () => {
          stored = stored.filter(({ id }) => id !== overrideId);
          send({ deleteOverride: { overrideId } });
        };
        if (isSlow) answer = remove;
        else remove();
        return;
      }
      const id = stored.find((one) => one.pageId === variables.input.pageId)?.id ?? "new";
      const set = { ...old, id, pageId: variables.input.pageId, extraAttempts: 2 };
      stored = [...stored.filter((one) => one.id !== id), set];
      send({ setOverride: { scheduleOverride: set } });
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
