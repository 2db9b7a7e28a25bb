import { afterEach, describe, expect, test } from "vitest";
import { dropDraft, keepDraft, readDraft } from "./drafts";
import { aText } from "./testing";

afterEach(() => localStorage.clear());

describe("the draft of a post", () => {
  test("is kept per person and per place, with its choices, until it is dropped", () => {
    const draft = {
      body: aText("Почему?"),
      place: { block: 2, quote: "mut", version: 7 },
      toTeachers: true,
      isAnonymous: false,
      isUncertain: true,
      base: null,
    };
    expect(keepDraft("u1", "new:p1", draft)).toBe(true);
    expect(readDraft("u1", "new:p1")).toEqual(draft);
    expect(readDraft("u2", "new:p1")).toBeNull();
    expect(readDraft("u1", "answer:p1")).toBeNull();
    dropDraft("u1", "new:p1");
    expect(readDraft("u1", "new:p1")).toBeNull();
  });

  test("without a text is forgotten, and an unreadable one is none", () => {
    keepDraft("u1", "new:p1", { body: aText("Почему?") });
    keepDraft("u1", "new:p1", { body: aText("  ") });
    expect(localStorage.length).toBe(0);
    localStorage.setItem("post-draft:u1:new:p1", '{"body":"Почему?"}');
    expect(readDraft("u1", "new:p1")).toBeNull();
  });

  test("the oldest are forgotten", () => {
    for (let number = 0; number < 52; number += 1) {
      keepDraft("u1", `answer:${number}`, { body: aText("Ответ") });
      const key = `post-draft:u1:answer:${number}`;
      localStorage.setItem(
        key,
        JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? ""), savedAt: number }),
      );
    }
    keepDraft("u1", "answer:last", { body: aText("Ответ") });
    expect(localStorage.length).toBe(50);
    expect(readDraft("u1", "answer:0")).toBeNull();
    expect(readDraft("u1", "answer:last")).not.toBeNull();
  });
});
