import { afterEach, expect, test } from "vitest";
import { dropDraft, keepDraft, readDraft } from "./drafts";

afterEach(() => localStorage.clear());

test("a typed text is kept for its person and its note", () => {
  expect(keepDraft("anna", "edit:1", "Не забыть")).toBe(true);
  expect(readDraft("anna", "edit:1")).toBe("Не забыть");
  expect(readDraft("boris", "edit:1")).toBeNull();
  expect(readDraft("anna", "new:1")).toBeNull();
  dropDraft("anna", "edit:1");
  expect(readDraft("anna", "edit:1")).toBeNull();
});

test("what cannot be read is no draft", () => {
  localStorage.setItem("note-draft:anna:new:1", "{");
  expect(readDraft("anna", "new:1")).toBeNull();
});
