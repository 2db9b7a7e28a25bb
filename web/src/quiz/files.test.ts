import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayOf, extensionOf, firstExpiry, fittedFiles, isAccepted, kindsText, sortOut } from "./files";

const file = (name: string, size = 1) => ({ name, size });
const stored = (id: string, filename: string) => ({
  id,
  filename,
  contentType: "application/pdf",
  size: 1024,
});

describe("the kind of a file", () => {
  test.each([
    ["Отчёт.PDF", "pdf"],
    ["архив.tar.gz", "gz"],
    ["без точки", ""],
    [".gitignore", "gitignore"],
    ["точка.", ""],
  ])("%s: %j", (name, extension) => expect(extensionOf(name)).toBe(extension));

  test("is accepted in either case, and any kind without a list", () => {
    expect(isAccepted("Отчёт.PDF", ["docx", "pdf"])).toBe(true);
    expect(isAccepted("pdf", ["pdf"])).toBe(false);
    expect(isAccepted("фото.heic", ["jpg"])).toBe(false);
    expect(isAccepted("что угодно", [])).toBe(true);
    expect(kindsText(["pdf", "docx"])).toBe(".pdf, .docx");
  });
});

describe("chosen files", () => {
  test("are divided into those to upload and those that are refused, with the reasons", () => {
    const chosen = [
      { name: "Папка.pdf", size: 4096, isFolder: true },
      file("а.pdf"),
      file("фото.heic"),
      file("пусто.pdf", 0),
      file("б.png"),
      file("в.pdf"),
    ];
    const { taken, refused } = sortOut(chosen, { extensions: ["pdf", "png"] }, 2);
    expect(taken.map(({ name }) => name)).toEqual(["а.pdf", "б.png"]);
    expect(refused).toEqual([
      { reason: "folder", names: ["Папка.pdf"] },
      { reason: "kind", names: ["фото.heic"] },
      { reason: "empty", names: ["пусто.pdf"] },
      { reason: "many", names: ["в.pdf"] },
    ]);
  });

  test("are each accepted or refused, within the remaining number", () => {
    const extension = fc.constantFrom("pdf", "PNG", "heic", "");
    const chosen = fc.array(
      fc.record({ name: extension.map((end) => `файл.${end}`), size: fc.nat(2), isFolder: fc.boolean() }),
    );
    fc.assert(
      fc.property(
        chosen,
        fc.uniqueArray(fc.constantFrom("pdf", "png")),
        fc.nat(20),
        (all, extensions, room) => {
          const { taken, refused } = sortOut(all, { extensions }, room);
          expect(taken.length).toBeLessThanOrEqual(room);
          expect(taken.length + refused.flatMap(({ names }) => names).length).toBe(all.length);
          expect(
            taken.every(({ name, size, isFolder }) => size > 0 && !isFolder && isAccepted(name, extensions)),
          ).toBe(true);
        },
      ),
    );
  });
});

describe("files of a stored answer", () => {
  const rules = { maxFiles: 2, extensions: ["pdf"] };
  test("are kept without their addresses, up to the number that the question takes", () => {
    const files = [stored("1", "а.pdf"), stored("1", "а.pdf"), stored("2", "б.heic"), stored("3", "в.pdf")];
    expect(fittedFiles([{ ...files[0], url: "/files/x" }, ...files, stored("4", "г.pdf")], rules)).toEqual([
      stored("1", "а.pdf"),
      stored("3", "в.pdf"),
    ]);
  });

  test.each([null, "а.pdf", [null], [{ id: 1 }], [{ ...stored("1", "а.pdf"), size: "1" }]])(
    "of another shape are dropped: %j",
    (value) => expect(fittedFiles(value, rules)).toEqual([]),
  );
});

test("the first address that expires is known", () => {
  const at = (expires: number | null) => ({
    ...stored("1", "а.pdf"),
    ...(expires && { url: `/files/answers/1/a.pdf?expires=${expires}&signature=ab` }),
  });
  expect(firstExpiry([at(null), at(1_800_003_600), at(1_800_000_000)])).toBe("2027-01-15T08:00:00.000Z");
  expect(firstExpiry([at(null)])).toBeNull();
  expect(firstExpiry([])).toBeNull();
});

test("images are shown, a PDF opens in a tab, and other files are downloaded", () => {
  const shown = (contentType: string) => displayOf({ contentType });
  expect(["image/jpeg", "image/heic", "image/svg+xml", "application/pdf", "text/html"].map(shown)).toEqual([
    "image",
    "download",
    "download",
    "tab",
    "download",
  ]);
});
