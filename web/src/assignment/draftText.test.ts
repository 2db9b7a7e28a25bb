import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { said } from "../quiz/testing";
import { type DraftText, dividedBy, EMPTY, isEmpty, isSame, mergeDrafts, textOf, toInput } from "./draftText";

const file = (id: string) => ({ id, filename: `${id}.pdf`, contentType: "application/pdf", size: 1 });
const text = (content: string | null, files: string[] = [], links: string[] = []): DraftText => ({
  content: content === null ? null : said(content),
  files: files.map(file),
  links,
});
const lines = (...all: string[]) => ({
  type: "doc",
  content: all.map((line) => ({ type: "paragraph", content: [{ type: "text", text: line }] })),
});

describe("a draft", () => {
  test("is empty without words, files and filled addresses", () => {
    expect(isEmpty(EMPTY)).toBe(true);
    expect(isEmpty(text(" ", [], ["", " "]))).toBe(true);
    expect(isEmpty(text("а"))).toBe(false);
    expect(isEmpty(text(null, ["f"]))).toBe(false);
    expect(isEmpty(text(null, [], ["x"]))).toBe(false);
  });

  test("is sent without empty parts", () => {
    expect(toInput(text(" ", ["f"], ["", " https://a.example "]))).toEqual({
      content: null,
      fileIds: ["f"],
      links: ["https://a.example"],
    });
  });

  test("equals another one with the same parts, whatever stands around them", () => {
    expect(isSame(text("а", ["f"], ["x", ""]), text("а", ["f"], [" x"]))).toBe(true);
    expect(isSame(text(null), text(" "))).toBe(true);
    expect(isSame(text("а"), text("б"))).toBe(false);
    expect(isSame(text("а", ["f", "g"]), text("а", ["g", "f"]))).toBe(false);
  });

  test("is what an answer contains", () => {
    expect(textOf({})).toEqual(EMPTY);
    expect(textOf({ content: said("а"), links: ["x"] })).toEqual(text("а", [], ["x"]));
  });
});

describe("two drafts of one work", () => {
  test("become one when they changed different parts", () => {
    const base = text("а", ["f"], ["x"]);
    const { text: merged, isClear } = mergeDrafts(
      base,
      text("а", ["f", "g"], ["x"]),
      text("б", ["f"], ["x", "y"]),
    );
    expect(isClear).toBe(true);
    expect(isSame(merged, text("б", ["f", "g"], ["x", "y"]))).toBe(true);
  });

  test("become one when they changed different paragraphs", () => {
    const of = (content: unknown): DraftText => ({ ...EMPTY, content });
    const merged = mergeDrafts(
      of(lines("один", "два", "три")),
      of(lines("ОДИН", "два", "три")),
      of(lines("один", "два", "три", "четыре")),
    );
    expect(merged.isClear).toBe(true);
    expect(isSame(merged.text, of(lines("ОДИН", "два", "три", "четыре")))).toBe(true);
  });

  test("need a choice when they changed one paragraph, and both stay until then", () => {
    const merged = mergeDrafts(text("а"), text("моё"), text("другое"));
    expect(merged.isClear).toBe(false);
    expect(isSame(merged.text, { ...EMPTY, content: lines("другое", "моё") })).toBe(true);
  });

  test("need a choice when nobody knows what they were made of", () => {
    expect(mergeDrafts(null, text("моё"), text("моё")).isClear).toBe(false);
  });

  test("lose what one of them has removed", () => {
    const base = text("а", ["f", "g"], ["x", "y"]);
    const merged = mergeDrafts(base, text("а", ["g"], ["x", "y"]), text("а", ["f", "g"], ["y"]));
    expect(merged.text.files.map(({ id }) => id)).toEqual(["g"]);
    expect(merged.text.links).toEqual(["y"]);
  });

  test("lose nothing that is new in one of them", () => {
    const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 4 });
    const words = fc.uniqueArray(fc.constantFrom("раз", "два", "три", "четыре"), { maxLength: 3 });
    const draft = fc.record({ words, files: names, links: names }).map(
      ({ words, files, links }): DraftText => ({
        content: words.length > 0 ? lines(...words) : null,
        files: files.map(file),
        links,
      }),
    );
    fc.assert(
      fc.property(draft, draft, draft, (base, mine, theirs) => {
        const { text: merged } = mergeDrafts(base, mine, theirs);
        const said = JSON.stringify(merged.content);
        for (const side of [mine, theirs]) {
          const added = (key: "files" | "links") => {
            const ids = (one: DraftText) =>
              key === "links" ? [...one.links] : one.files.map(({ id }) => id);
            return ids(side).filter((id) => !ids(base).includes(id) && !ids(merged).includes(id));
          };
          expect(added("files")).toEqual([]);
          expect(added("links")).toEqual([]);
          const known = JSON.stringify(base.content);
          for (const word of JSON.stringify(side.content).match(/раз|два|три|четыре/g) ?? [])
            if (!known.includes(word)) expect(said).toContain(word);
        }
        expect(new Set(merged.links).size).toBe(merged.links.length);
      }),
    );
  });
});

test("a text is divided by what the assignment takes, and nothing of it is lost", () => {
  const parts = fc.record({ takesText: fc.boolean(), maxFiles: fc.nat(2), maxLinks: fc.nat(2) });
  const whole = text("а", ["f"], ["https://a.example", ""]);
  fc.assert(
    fc.property(parts, (takes) => {
      const { taken, rest } = dividedBy(takes, whole);
      expect(taken.content !== null).toBe(takes.takesText);
      expect(taken.files.length > 0).toBe(takes.maxFiles > 0);
      expect(taken.links.length > 0).toBe(takes.maxLinks > 0);
      const both = mergeDrafts(EMPTY, taken, rest ?? EMPTY).text;
      expect(isSame(both, whole)).toBe(true);
    }),
  );
});
