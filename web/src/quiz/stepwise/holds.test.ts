import { expect, test } from "vitest";
import type { Question } from "../model";
import { heldBy, unsendable } from "./holds";

const given = (question: object, answer = {}, more = {}) => ({
  question: { id: "q", ...question } as unknown as Question,
  answer,
  unsent: null,
  isUnreadable: false,
  ...more,
});

const words = (text: string) => ({
  content: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] },
});

test("an essay of a wrong length is not taken for an unreadable number", () => {
  const essay = { __typename: "EssayQuestion", minWords: 5, maxWords: null };
  expect(heldBy(given(essay, words("Два слова"), { isUnreadable: true }))).toBe("length");
  expect(unsendable(given(essay, words("Здесь ровно пять слов подряд")))).toBeNull();
});

test("files that are not there yet hold an answer back", () => {
  const files = { __typename: "FileUploadQuestion", maxFiles: 3, extensions: [] };
  expect(unsendable(given(files, {}, { unsent: "running" }))).toBe("uploading");
  expect(unsendable(given(files, {}, { unsent: "failed", isUnreadable: true }))).toBe("unsent");
});

test("an answer that is only incomplete would not be lost", () => {
  const number = { __typename: "NumericQuestion", units: ["m", "km"] };
  expect(heldBy(given(number, {}))).toBe("empty");
  expect(heldBy(given(number, { number: "4" }))).toBe("lacksUnit");
  expect(unsendable(given(number, { number: "4" }))).toBeNull();
  expect(unsendable(given(number, {}, { isUnreadable: true }))).toBe("unreadable");
});
