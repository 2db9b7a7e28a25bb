import { describe, expect, test } from "vitest";
import {
  isEmptyPost,
  isSameText,
  matches,
  mayReply,
  mayResolve,
  staysAnonymous,
  steadyOrder,
  wordsOf,
} from "./discussion";
import { aDiscussion, aPost, aText } from "./testing";

const paragraph = (...content: unknown[]) => ({ type: "paragraph", content });
const text = (words: string) => ({ type: "text", text: words });
const doc = (...content: unknown[]) => ({ type: "doc", content });
const rules = { isOn: true, isOnPage: true, allowsAnonymous: true, isPerGroup: false };

describe("the words of a post", () => {
  test("are one line, with formulas and without pictures", () => {
    const body = doc(
      paragraph(text("Чему равно "), { type: "inlineMath", attrs: { latex: "x^2" } }, text("?")),
      { type: "image", attrs: { src: "/files/a/b.png" } },
      { type: "bulletList", content: [{ type: "listItem", content: [paragraph(text("пункт"))] }] },
    );
    expect(wordsOf(body)).toBe("Чему равно x^2? пункт");
    expect(wordsOf(null)).toBe("");
  });

  test("a picture alone can be sent, an empty line cannot", () => {
    expect(isEmptyPost(doc(paragraph(text("  "))))).toBe(true);
    expect(isEmptyPost(doc({ type: "image", attrs: { src: "/files/a/b.png" } }))).toBe(false);
    expect(isEmptyPost(null)).toBe(true);
  });

  test("texts are equal however their nodes are split, and a deleted text equals none", () => {
    expect(isSameText(doc(paragraph(text("аб"))), doc(paragraph(text("а"), text("б"))))).toBe(true);
    expect(isSameText(doc(paragraph(text("аб"))), doc(paragraph(text("ав"))))).toBe(false);
    expect(isSameText(null, null)).toBe(false);
  });
});

describe("what a person may do", () => {
  test("learners write while the question is open to answers and not hidden, the staff while questions are on", () => {
    const open = aDiscussion(1);
    const locked = aDiscussion(1, { isLocked: true });
    const hidden = aDiscussion(1, { question: aPost(1, { hiddenAt: "2026-11-20T09:00:00Z" }) });
    const who = (discussion: typeof open, isOn = true) =>
      (["LEARNER", "EDITOR", "TEACHER", "OWNER"] as const).filter((role) =>
        mayReply(discussion, role, { ...rules, isOn }),
      );
    expect(who(open)).toEqual(["LEARNER", "EDITOR", "TEACHER", "OWNER"]);
    expect(who(locked)).toEqual(["EDITOR", "TEACHER", "OWNER"]);
    expect(who(hidden)).toEqual(["EDITOR", "TEACHER", "OWNER"]);
    expect(who(open, false)).toEqual([]);
    expect(mayReply(open, "OWNER", null)).toBe(false);
  });

  test("who asked and the staff resolve", () => {
    const mine = aDiscussion(1, { question: aPost(1, { isMine: true }) });
    expect([mayResolve(mine, "LEARNER"), mayResolve(aDiscussion(1), "LEARNER")]).toEqual([true, false]);
    expect(mayResolve(aDiscussion(1), "EDITOR")).toBe(true);
  });

  test("who asked without a name answers without one", () => {
    const asked = (isMine: boolean, isAnonymous: boolean) =>
      staysAnonymous(aDiscussion(1, { question: aPost(1, { isMine, isAnonymous }) }));
    expect([asked(true, true), asked(true, false), asked(false, true)]).toEqual([true, false, false]);
  });
});

describe("a list of discussions", () => {
  test("keeps the order that was shown, with new ones first, below pinned ones", () => {
    const [a, b, c] = [aDiscussion(1), aDiscussion(2), aDiscussion(3)];
    const pinned = aDiscussion(4, { isPinned: true });
    const ids = (all: { id: string }[]) => all.map(({ id }) => id);
    expect(ids(steadyOrder([], [a, b]))).toEqual([a.id, b.id]);
    // The second one was answered, so the server lists it first.
    expect(ids(steadyOrder([a.id, b.id], [b, a]))).toEqual([a.id, b.id]);
    expect(ids(steadyOrder([a.id, b.id], [pinned, c, b, a]))).toEqual([pinned.id, c.id, a.id, b.id]);
    expect(ids(steadyOrder([a.id, b.id], [b]))).toEqual([b.id]);
  });

  test("a filter tells what it shows", () => {
    const solved = aDiscussion(1, { resolvedAt: "2026-11-20T09:00:00Z" });
    const answered = aDiscussion(2, { hasWritten: true });
    const shown = (filter: "ALL" | "OPEN" | "RESOLVED" | "MINE") =>
      [solved, answered].filter((one) => matches(one, filter));
    expect(shown("ALL")).toEqual([solved, answered]);
    expect(shown("OPEN")).toEqual([answered]);
    expect(shown("RESOLVED")).toEqual([solved]);
    expect(shown("MINE")).toEqual([answered]);
    expect(wordsOf(aText("слово"))).toBe("слово");
  });
});
