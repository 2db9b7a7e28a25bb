import { expect, test } from "vitest";
import { isBlankText } from "./shownText";

const text = (...content: unknown[]) => ({ type: "doc", content });

test("a text without words has nothing to be marked, but a picture has", () => {
  expect(isBlankText(text({ type: "paragraph" }))).toBe(true);
  expect(isBlankText(text({ type: "paragraph", content: [{ type: "text", text: " " }] }))).toBe(true);
  expect(isBlankText(text({ type: "paragraph", content: [{ type: "text", text: "Why?" }] }))).toBe(false);
  expect(isBlankText(text({ type: "image", attrs: { src: "/a.png" } }))).toBe(false);
});
