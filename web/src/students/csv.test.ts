import { describe, expect, it } from "vitest";
import { csv } from "./csv";

describe("csv", () => {
  it("quotes separators, quotes and line breaks, and ends lines with CRLF", () => {
    expect(
      csv([
        ["Имя", 'Анна "Нюта"'],
        ["a,b", "две\nстроки"],
        [7, ""],
      ]),
    ).toBe('\uFEFFИмя,"Анна ""Нюта"""\r\n"a,b","две\nстроки"\r\n7,\r\n');
  });

  it.each([
    "=1+1",
    "+7 900",
    "-5",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1+1",
    "＋7 900",
    "－5",
    "＠SUM(A1)",
  ])("takes the formula out of %j", (value) => {
    const [line] = csv([[value]])
      .slice(1)
      .split("\r\n", 1);
    expect(line?.replace(/^"/, "")).toMatch(/^'/);
  });

  it("leaves numbers and text with such a character inside unchanged", () => {
    expect(csv([[-5, "a=b", "анна-мария@example.com"]])).toBe("\uFEFF-5,a=b,анна-мария@example.com\r\n");
  });
});
