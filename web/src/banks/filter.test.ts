import { describe, expect, test } from "vitest";
import {
  argumentsOf,
  type BankSearch,
  everything,
  filterOf,
  isNarrow,
  pagesOf,
  searchOf,
  suggestedTags,
  tagsOf,
  toggled,
} from "./filter";

describe("the filter in the address", () => {
  test("an address without parameters means everything, and everything needs none", () => {
    expect(filterOf({})).toEqual(everything);
    expect(searchOf(everything)).toEqual({});
    expect(isNarrow(everything)).toBe(false);
  });

  test("is read back as it was written", () => {
    const filter = { search: "сила, трение", tags: ["легко, устно", "9 класс"], kind: "numeric", page: 3 };
    expect(filterOf(searchOf(filter))).toEqual(filter);
    expect(isNarrow(filter)).toBe(true);
  });

  test("takes numbers and nonsense from an address that was typed", () => {
    const typed = { search: 42, tags: 9, page: "x" } as unknown as BankSearch;
    expect(filterOf(typed)).toEqual({ search: "42", tags: ["9"], kind: "", page: 1 });
  });

  test("is sent without what does not narrow", () => {
    expect(argumentsOf({ search: "  ", tags: [], kind: "", page: 2 })).toEqual({
      search: null,
      tags: null,
      kind: null,
      skip: 50,
    });
  });

  test.each([
    [0, 1],
    [50, 1],
    [51, 2],
  ])("%i questions have %i pages", (total, pages) => expect(pagesOf(total)).toBe(pages));
});

describe("tags", () => {
  test("are typed one by one or as a list, without superfluous spaces", () => {
    expect(tagsOf("  9   класс ")).toEqual(["9 класс"]);
    expect(tagsOf("легко, устно;легко,\nтрение,")).toEqual(["легко", "устно", "трение"]);
    expect(tagsOf(" , ")).toEqual([]);
  });

  test("are suggested by their beginning first, then by what they contain", () => {
    const known = ["Сила трения", "Трение", "Энергия"];
    expect(suggestedTags(known, "тре", 8)).toEqual(["Трение", "Сила трения"]);
    expect(suggestedTags(known, "", 2)).toEqual(["Сила трения", "Трение"]);
  });

  test("are chosen and given up by the same click", () => {
    expect(toggled(["a"], "b")).toEqual(["a", "b"]);
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
  });
});
