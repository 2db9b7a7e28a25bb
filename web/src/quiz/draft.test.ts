import { afterEach, describe, expect, test, vi } from "vitest";
import { type Draft, dropDraft, loadDraft, saveDraft } from "./draft";

const draft: Draft = {
  version: 2,
  prints: { q1: "x" },
  answers: { q1: { text: "а" } },
  pending: null,
  savedAt: 1,
};

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe("answers stored on the device", () => {
  test("belong to one person and one page", () => {
    expect(saveDraft("anna", "page", draft)).toBe(true);
    expect(loadDraft("anna", "page")).toEqual(draft);
    expect(loadDraft("petr", "page")).toBeNull();
    expect(loadDraft("anna", "other")).toBeNull();
    dropDraft("anna", "page");
    expect(loadDraft("anna", "page")).toBeNull();
  });

  test.each([
    "",
    "null",
    "{",
    "[]",
    '{"version":"2"}',
    '{"version":1,"prints":{},"answers":{"q":1},"pending":null}',
  ])("that cannot be read are none: %j", (text) => {
    localStorage.setItem("quiz-draft:anna:page", text);
    expect(loadDraft("anna", "page")).toBeNull();
  });

  test("are limited in number; the oldest are deleted", () => {
    for (let page = 0; page <= 100; page += 1) saveDraft("anna", `p${page}`, { ...draft, savedAt: page });
    expect(loadDraft("anna", "p0")).toBeNull();
    expect(loadDraft("anna", "p1")).not.toBeNull();
  });

  test("report a full storage", () => {
    const setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    vi.stubGlobal("localStorage", { setItem });
    expect(saveDraft("anna", "page", draft)).toBe(false);
  });
});
