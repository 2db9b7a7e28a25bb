import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EXTENSIONS_MAX } from "../limits.generated";
import {
  FILE_KIND_NAMES,
  FILE_KINDS,
  hasKind,
  readExtensions,
  toggleKind,
  withExtensions,
} from "./fileKinds";

const kind = fc.constantFrom(...FILE_KIND_NAMES);
const extension = fc.stringMatching(/^[a-z0-9]{1,10}$/);

describe("a group of file kinds", () => {
  test.each(FILE_KIND_NAMES)("%s has extensions that the server takes", (name) => {
    expect(readExtensions(FILE_KINDS[name].join(" "))).toEqual({
      read: [...FILE_KINDS[name]],
      unreadable: [],
    });
  });

  test("is added as a whole, and removed again without what another group needs", () => {
    const documents = toggleKind([], "documents") ?? [];
    expect(documents).toEqual(FILE_KINDS.documents);
    const both = toggleKind(documents, "slides") ?? [];
    expect(hasKind(both, "slides")).toBe(true);
    expect(toggleKind(both, "slides")).toEqual(documents);
    expect(toggleKind(both, "documents")).toEqual(["pdf", "ppt", "pptx", "odp"]);
  });

  test("changes no other group and no extension of the author's own", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(kind, { maxLength: 2 }),
        fc.uniqueArray(extension, { maxLength: 5 }),
        kind,
        (kinds, own, name) => {
          const before = withExtensions([], [...kinds.flatMap((one) => [...FILE_KINDS[one]]), ...own]) ?? [];
          const after = toggleKind(before, name);
          if (!after) return;
          expect(hasKind(after, name)).toBe(!hasKind(before, name));
          const others = FILE_KIND_NAMES.filter((other) => other !== name && hasKind(before, other));
          expect(others.every((other) => hasKind(after, other))).toBe(true);
          const group: readonly string[] = FILE_KINDS[name];
          expect(before.filter((one) => !group.includes(one) && !after.includes(one))).toEqual([]);
          expect(after.length).toBeLessThanOrEqual(EXTENSIONS_MAX);
          expect(new Set(after).size).toBe(after.length);
        },
      ),
    );
  });

  test("is refused if the list would exceed the limit", () => {
    const full = Array.from({ length: EXTENSIONS_MAX }, (_, at) => `e${at}`);
    expect(toggleKind(full, "audio")).toBeNull();
    expect(withExtensions(full, ["e1"])).toEqual(full);
  });
});

test("typed extensions are read with dots, asterisks and capitals; other words are returned", () => {
  expect(readExtensions(" .DWG, *.psd;zip\n7z документ a-b tooooooolong")).toEqual({
    read: ["dwg", "psd", "zip", "7z"],
    unreadable: ["документ", "a-b", "tooooooolong"],
  });
  expect(readExtensions("  ")).toEqual({ read: [], unreadable: [] });
});
