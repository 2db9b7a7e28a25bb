// @vitest-environment jsdom
import { expect, test } from "vitest";
import { rangeAfter, wordRanges } from "./wordRanges";

function found(html: string, ...words: string[]): string[] {
  const root = document.createElement("div");
  root.innerHTML = html;
  return wordRanges(root, words).map(String);
}

test.each([
  ["<p>Цикл и ещё циклы</p>", ["циклы"], ["циклы"]],
  ["<p>Ёжик видит ежика</p>", ["ежик"], ["Ёжик"]],
  ["<p>цикл, Цикл; цикла</p>", ["цикл"], ["цикл", "Цикл"]],
  ["<p>пере<b>мен</b>ная</p>", ["переменная"], ["переменная"]],
  ["<ul><li>один</li><li>два</li></ul>", ["одиндва"], []],
  ["<table><tr><td>да</td><td>нет</td></tr></table>", ["да", "нет"], ["да", "нет"]],
  ["<p>C++ и C</p>", ["c++"], ["C++"]],
  ["<p>a.b aXb</p>", ["a.b"], ["a.b"]],
  ["<p>заимствование</p>", ["заим"], ["заим"]],
  ["<p>İstanbul, ёлка</p>", ["елка"], ["ёлка"]],
  ["<p></p>", ["слово"], []],
  ["<p>текст</p>", [], []],
])("%s with %j marks %j", (html, words, marked) => expect(found(html, ...words)).toEqual(marked));

test("words in the middle of others are not marked", () =>
  expect(found("<p>администратор</p>", "министр")).toEqual([]));

test.each([
  ["втретьем", 2],
  ["Втором", 1],
  ["", 0],
  ["нетакого", 0],
])("of equal words the one after «%s» is found", (before, index) => {
  const root = document.createElement("div");
  root.innerHTML = "<p>В первом цикле, во втором цикле, в <b>третьем</b> цикле</p>";
  const ranges = wordRanges(root, ["цикле"]);
  expect(ranges.indexOf(rangeAfter(root, ranges, before) as Range)).toBe(index);
});
