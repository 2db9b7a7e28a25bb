import { afterEach, expect, test } from "vitest";
import { type Draft, loadDraft, saveDraft } from "../draft";
import { hasDraft } from "../draftKeys";
import { AttemptCopy, dropEnded, loadCopy } from "./copy";
import { beginQueue, give } from "./queue";
import { shown } from "./testing";

afterEach(() => localStorage.clear());

const owner = { userId: "me", pageId: "p", ticket: "t", attemptNo: 2 };
const other = { ...owner, ticket: "other" };
const draft: Draft = { version: 1, prints: {}, answers: { q1: { text: "а" } }, pending: null, savedAt: 1 };
const queue = give(beginQueue(), "q3", { text: "кот" }, 12.5);
const keep = () => new AttemptCopy(owner, shown).keep(queue, null, {});

test("a copy keeps unsent answers with their times, for its attempt alone", () => {
  expect(keep()).toBe(true);
  expect(new AttemptCopy(owner, shown).left).toMatchObject({ unsent: queue.unsent, lastAt: 12.5 });
  expect(new AttemptCopy(other, shown).left).toEqual(beginQueue());
});

test("a draft without a time limit stays beside it, and alone counts as kept answers", () => {
  keep();
  expect(hasDraft("p")).toBe(false);
  saveDraft("me", "p", draft);
  keep();
  new AttemptCopy(owner, shown).forget();
  expect(loadDraft("me", "p")).toEqual(draft);
  expect(hasDraft("p")).toBe(true);
});

test("what is left of an attempt that has ended is dropped, and not what belongs to the running one", () => {
  keep();
  dropEnded("me", "p", "t");
  new AttemptCopy(other, shown).forget();
  expect(loadCopy(owner)).not.toBeNull();
  expect(dropEnded("me", "p", "other")).toEqual([{ attemptNo: 2, unsent: queue.unsent }]);
  expect(loadCopy(owner)).toBeNull();
  expect(dropEnded("me", "p", "other")).toEqual([]);
  keep();
  dropEnded("me", "p", null);
  expect(loadCopy(owner)).toBeNull();
});

test("one that cannot be read is none", () => {
  keep();
  const [key = ""] = Object.keys(localStorage);
  const stored = JSON.parse(localStorage.getItem(key) ?? "");
  localStorage.setItem(key, JSON.stringify({ ...stored, unsent: { q1: { answer: {} } } }));
  expect(loadCopy(owner)).toBeNull();
});
