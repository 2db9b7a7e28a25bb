import { afterEach, expect, test } from "vitest";
import { dropDraft, keepDraft, readDraft } from "./drafts";
import { aText } from "./testing";

afterEach(() => localStorage.clear());

const draft = {
  title: "Занятие перенесено",
  content: aText("На пятницу"),
  groupId: "g1",
  isLater: true,
  at: "5.12 9:00",
  isPinned: true,
  version: null,
};

test("a draft is kept for one person and one announcement until it is dropped", () => {
  expect(keepDraft("u1", "new:c1", draft)).toBe(true);
  expect(readDraft("u1", "new:c1")).toEqual(draft);
  expect(readDraft("u2", "new:c1")).toBeNull();
  expect(readDraft("u1", "edit:a1")).toBeNull();
  dropDraft("u1", "new:c1");
  expect(readDraft("u1", "new:c1")).toBeNull();
});

test("unreadable drafts are ignored", () => {
  localStorage.setItem("announcement-draft:u1:new:c1", "{");
  expect(readDraft("u1", "new:c1")).toBeNull();
  localStorage.setItem("announcement-draft:u1:new:c1", JSON.stringify({ title: "Т", content: "Т" }));
  expect(readDraft("u1", "new:c1")).toBeNull();
});

test("the oldest drafts are deleted beyond the limit", () => {
  for (let number = 0; number < 25; number += 1) keepDraft("u1", `edit:${number}`, { ...draft, version: 1 });
  const kept = Object.keys(localStorage).filter((key) => key.startsWith("announcement-draft:"));
  expect(kept).toHaveLength(20);
  expect(readDraft("u1", "edit:24")).not.toBeNull();
});
