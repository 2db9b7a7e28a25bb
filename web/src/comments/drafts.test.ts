import { beforeEach, expect, test } from "vitest";
import { dropDraft, hasDraft, keepDraft, readDraft } from "./drafts";

beforeEach(() => localStorage.clear());

const mentioned = [{ id: "a", name: "Анна" }];
const place = { block: 2, quote: "слова" };

test("a draft is kept with its place and its suggestion, for its author only", () => {
  const suggestion = [{ type: "paragraph" }];
  keepDraft("u", "new:p", { text: "Текст @Анна", mentioned, place, suggestion });
  expect(readDraft("u", "new:p")).toEqual({ text: "Текст @Анна", mentioned, place, suggestion });
  expect(readDraft("other", "new:p")).toBeNull();
  expect(hasDraft("u", "new:p")).toBe(true);
  dropDraft("u", "new:p");
  expect(hasDraft("u", "new:p")).toBe(false);
});

test("an empty draft is deleted unless it contains a suggestion", () => {
  keepDraft("u", "answer:t", { text: "Текст", mentioned });
  keepDraft("u", "answer:t", { text: "  ", mentioned });
  expect(readDraft("u", "answer:t")).toBeNull();
  keepDraft("u", "new:p", { text: "", mentioned: [], place, suggestion: [] });
  expect(readDraft("u", "new:p")?.suggestion).toEqual([]);
});

test("a draft that cannot be read is none", () => {
  localStorage.setItem("comment-draft:u:new:p", '{"text":1}');
  expect(readDraft("u", "new:p")).toBeNull();
  localStorage.setItem(
    "comment-draft:u:new:p",
    '{"text":"a","mentioned":[3,{"id":"x"}],"place":{"block":"1"}}',
  );
  expect(readDraft("u", "new:p")).toEqual({ text: "a", mentioned: [], place: null, suggestion: null });
});

test("the oldest of too many drafts are forgotten", () => {
  localStorage.setItem("comment-draft:u:new:oldest", '{"text":"a","savedAt":1}');
  for (let number = 0; number < 50; number += 1)
    keepDraft("u", `answer:${number}`, { text: "Текст", mentioned: [] });
  expect(readDraft("u", "new:oldest")).toBeNull();
  expect(readDraft("u", "answer:0")).not.toBeNull();
});
