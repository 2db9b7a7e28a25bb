import { afterEach, expect, test, vi } from "vitest";
import { dropDraft, keepDraft, type NoteDraft, newDrafts, readDraft } from "./drafts";

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const place = { block: 2, start: 5, quote: "имя со значением", version: 3 };
const base = { version: 1, body: "Было", color: "GREEN" } as const;

test("a changed note is kept for its person, with its color and what was stored when it was opened", () => {
  const draft: NoteDraft = { body: "Не забыть", color: "PINK", base };
  expect(keepDraft("anna", "edit:1", draft)).toBe(true);
  expect(readDraft("anna", "edit:1")).toEqual({ ...draft, place: null });
  expect(readDraft("boris", "edit:1")).toBeNull();
  expect(readDraft("anna", "edit:2")).toBeNull();
  dropDraft("anna", "edit:1");
  expect(readDraft("anna", "edit:1")).toBeNull();
});

test("new notes of a page are listed with the words that they are about", () => {
  keepDraft("anna", "new:p1:a", { body: "Раз", color: "BLUE", place, isUncertain: true });
  keepDraft("anna", "new:p1:b", { body: "Два", color: "YELLOW", place: null });
  keepDraft("anna", "new:p2:c", { body: "Три", color: "YELLOW", place: null });
  keepDraft("anna", "edit:p1", { body: "Четыре", color: "YELLOW", base });
  const found = newDrafts("anna", "p1").sort((one, other) => one.id.localeCompare(other.id));
  expect(found).toEqual([
    { id: "a", draft: { body: "Раз", color: "BLUE", place, isUncertain: true } },
    { id: "b", draft: { body: "Два", color: "YELLOW", place: null } },
  ]);
  keepDraft("anna", "new:p1:a", { body: " ", color: "BLUE", place });
  expect(newDrafts("anna", "p1").map(({ id }) => id)).toEqual(["b"]);
});

test("a full storage is told", () => {
  const setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { setItem, getItem: () => null, removeItem: () => {} });
  expect(keepDraft("anna", "new:p1:a", { body: "Раз", color: "BLUE" })).toBe(false);
});

test("what cannot be read is no draft", () => {
  localStorage.setItem("note-draft:anna:new:p1:a", "{");
  localStorage.setItem("note-draft:anna:new:p1:b", '"Раз"');
  expect(newDrafts("anna", "p1")).toEqual([]);
});
