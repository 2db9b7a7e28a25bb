import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { said } from "../quiz/testing";
import { CopyKeeper, forgetCopy, hasCopy, readCopies } from "./copies";
import { EMPTY } from "./draftText";

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

const keeper = (session: string, userId = "me") => new CopyKeeper({ userId, pageId: "p", session });
const text = (words: string) => ({ ...EMPTY, content: said(words) });
const pending = { submissionId: "s", version: 3, answers: [] };

test("each open form has its own copy, and the newest is first", () => {
  const now = Date.now();
  keeper("a").keep(text("раньше"), 1, null, now - 1000);
  keeper("b").keep(text("позже"), 2, null, now);
  expect(readCopies("me", "p").map(({ session, version }) => [session, version])).toEqual([
    ["b", 2],
    ["a", 1],
  ]);
  expect(hasCopy("p")).toBe(true);
  expect(hasCopy("other")).toBe(false);
});

test("copies of other people and pages are not shown, and old ones are deleted", () => {
  keeper("a", "somebody").keep(text("чужое"), 1, null, Date.now());
  keeper("b").keep(text("давно"), 1, null, Date.now() - 61 * 24 * 60 * 60 * 1000);
  expect(readCopies("me", "p")).toEqual([]);
  expect(Object.keys(localStorage)).toEqual(["answer-draft:somebody:p:a"]);
});

test("a submission without an answer stays when the draft is saved, and goes with its end", () => {
  const copy = keeper("a");
  copy.keepPending(pending, text("а"), 1);
  copy.forget();
  expect(readCopies("me", "p")[0]?.pending).toEqual(pending);
  copy.endPending();
  copy.forget();
  expect(readCopies("me", "p")).toEqual([]);
});

test("a full storage is reported", () => {
  const setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { setItem });
  const copy = keeper("a");
  copy.keep(text("а"), 1, null, Date.now());
  expect(copy.failed).toBe(true);
});

test.each(["null", "{", "[]", '{"version":1}', '{"version":1,"at":1,"text":{"files":1,"links":[]}}'])(
  "a copy that cannot be read is left out: %s",
  (stored) => {
    localStorage.setItem("answer-draft:me:p:a", stored);
    expect(readCopies("me", "p")).toEqual([]);
    forgetCopy({ userId: "me", pageId: "p", session: "a" });
    expect(localStorage.length).toBe(0);
  },
);
