import { describe, expect, it } from "vitest";
import { parseCsv, withLocalTimes, writeCsv } from "./csv";

describe("the results as CSV", () => {
  it("keep separators, quotes and line breaks in both forms", () => {
    const rows = [
      ["Имя", 'Анна "Нюта"', ""],
      ["a,b", "две\nстроки", "x;y"],
      ["'=1+1", "", "7"],
    ];
    for (const separator of [";", ","] as const) {
      const text = writeCsv(rows, separator);
      expect(text.startsWith("\uFEFF")).toBe(true);
      expect(text.endsWith("\r\n")).toBe(true);
      if (separator === ",") expect(parseCsv(text)).toEqual(rows);
    }
    expect(writeCsv(rows, ";").split("\r\n")[0]).toBe('\uFEFFИмя;"Анна ""Нюта""";');
  });

  it("are read as the server writes them", () => {
    expect(parseCsv('\uFEFFИмя,"Тест ""А"", %"\r\n"a,b",\r\n')).toEqual([
      ["Имя", 'Тест "А", %'],
      ["a,b", ""],
    ]);
    expect(parseCsv("")).toEqual([]);
  });

  it("have local times to the minute", () => {
    const at = new Date(2026, 10, 4, 9, 5, 59);
    const [[time, other] = []] = withLocalTimes([[at.toISOString().replace("Z", "123Z"), "2026-11-04"]]);
    expect([time, other]).toEqual(["2026-11-04 09:05", "2026-11-04"]);
  });
});
