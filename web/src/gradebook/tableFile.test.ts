import { describe, expect, test } from "vitest";
import { type GradeTable, stillThere, type TableChange, tableText, undoTable } from "./tableFile";

const bytes = (...given: number[]) => new Uint8Array(given);

describe("tableText", () => {
  const line = "Email;Тест [0a1b2c3d]";

  test("reads UTF-8 with and without a byte order mark", () => {
    expect(tableText(new TextEncoder().encode(line))).toEqual({ text: line });
    expect(tableText(new TextEncoder().encode(`\ufeff${line}`))).toEqual({ text: line });
  });

  test("reads the encoding of Russian Windows, and UTF-16", () => {
    expect(tableText(bytes(0xd2, 0xe5, 0xf1, 0xf2, 0x3b, 0x35))).toEqual({ text: "Тест;5" });
    expect(tableText(bytes(0xff, 0xfe, 0x22, 0x04, 0x3b, 0x00))).toEqual({ text: "Т;" });
    expect(tableText(bytes(0xfe, 0xff, 0x04, 0x22, 0x00, 0x3b))).toEqual({ text: "Т;" });
  });

  test.each([
    ["workbook", bytes(0x50, 0x4b, 3, 4, 20, 0)],
    ["workbook", bytes(0xd0, 0xcf, 0x11, 0xe0, 1)],
    ["notText", bytes(0x25, 0, 0x50)],
    ["empty", bytes()],
    ["empty", bytes(0xef, 0xbb, 0xbf, 0x0d, 0x0a)],
    ["tooLong", new Uint8Array(4_000_001).fill(0x61)],
  ])("says of a wrong file that it is %s", (problem, given) => {
    expect(tableText(given)).toEqual({ problem });
  });
});

const change = (email: string, pageId: string, rest: Partial<TableChange>) =>
  ({ enrollmentId: email, email, pageId, kind: "OVERRIDE", points: "9", before: {}, ...rest }) as TableChange;

const FIRST = "0198f000-0000-7000-8000-00000a1b2c3d";
const SECOND = "0198f000-0000-7000-8000-0000ffffffff";

test("the table that undoes changes names pages by their codes, and leaves other cells empty", () => {
  const changes = [
    change("ann@x.ru", FIRST, { before: { source: "override", points: "7.5" } }),
    change("ann@x.ru", SECOND, { before: { source: "excused" } }),
    change('b"ob@x.ru', SECOND, { before: { source: "automatic", points: "5" } }),
  ];
  expect(undoTable(changes).split("\r\n")).toEqual([
    '"Email";"[0a1b2c3d]";"[ffffffff]"',
    '"ann@x.ru";"7.5";"excused"',
    '"b""ob@x.ru";"";"auto"',
  ]);
});

test("what somebody has decided since is not undone", () => {
  const changes = [
    change("a", FIRST, {}),
    change("b", FIRST, {}),
    change("c", FIRST, { kind: "EXCUSED", points: null }),
    change("d", FIRST, { kind: "REMOVED", points: null }),
    change("e", FIRST, {}),
  ];
  const now = {
    changes: [
      change("a", FIRST, { before: { source: "override", points: "9" } }),
      change("b", FIRST, { before: { source: "override", points: "10" } }),
      change("c", FIRST, { before: { source: "excused" } }),
      change("d", FIRST, { before: { source: "automatic", points: "5" } }),
    ],
  } as GradeTable;
  expect(stillThere(changes, now).map(({ email }) => email)).toEqual(["a", "c", "d"]);
});
