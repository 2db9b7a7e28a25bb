import { describe, expect, test } from "vitest";
import { completedLink, isLink, pastedLinks, wrongLinks } from "./links";

describe("a typed address", () => {
  test.each([
    ["example.org", "https://example.org"],
    [" example.org/a b", "example.org/a b"],
    ["пример.рф/страница?x=1#y", "https://пример.рф/страница?x=1#y"],
    ["example.org:8080/a", "https://example.org:8080/a"],
    ["http://example.org", "http://example.org"],
    ["HTTPS://example.org", "HTTPS://example.org"],
    ["mailto:a@example.org", "mailto:a@example.org"],
    ["a@example.org", "a@example.org"],
    ["не адрес", "не адрес"],
    ["слово", "слово"],
    ["", ""],
  ])("%j becomes %j", (typed, completed) => expect(completedLink(typed)).toBe(completed));

  test.each([
    ["https://example.org", true],
    ["http://localhost:3000/a", true],
    ["https://пример.рф/страница", true],
    ["https://", false],
    ["ftp://example.org", false],
    ["javascript:alert(1)", false],
    ["https://example.org/a b", false],
  ])("%j is taken: %j", (text, taken) => expect(isLink(text)).toBe(taken));

  test("has at most 2000 characters", () => {
    const longest = `https://example.org/${"a".repeat(1980)}`;
    expect(isLink(longest)).toBe(true);
    expect(isLink(`${longest}a`)).toBe(false);
  });
});

test("empty fields are no mistake", () => {
  expect(wrongLinks(["https://a.example", "", "текст", " "])).toEqual([2]);
});

describe("pasted text", () => {
  test("of several lines becomes several addresses", () => {
    expect(pastedLinks("https://a.example/1\nb.example\r\n\r\n  <https://c.example>,\n")).toEqual([
      "https://a.example/1",
      "https://b.example",
      "https://c.example",
    ]);
  });
  test("of one address, or with words in it, is pasted as it is", () => {
    expect(pastedLinks("https://a.example/1")).toBeNull();
    expect(pastedLinks("смотри https://a.example")).toBeNull();
    expect(pastedLinks("")).toBeNull();
  });
});
