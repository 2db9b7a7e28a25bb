import { describe, expect, test } from "vitest";
import { shortText } from "../quiz/shortText";
import { holdsQuestions, isGift, readQuestions } from "./pastedQuestions";

const shown = (pasted: string) =>
  readQuestions(pasted).map((question) =>
    "options" in question
      ? [
          `${question.type === "multiple_choice" ? "several" : "one"}: ${shortText(question.prompt)}`,
          ...question.options.map(({ content, correct }) => `${correct ? "+" : "-"} ${shortText(content)}`),
        ]
      : [],
  );
const CAPITAL = ["one: Столица Франции?", "- Лион", "+ Париж", "- Ницца"];

describe("pasted questions", () => {
  test.each([
    ["Aiken", "Столица Франции?\nA. Лион\nB. Париж\nC. Ницца\nANSWER: B"],
    ["Russian letters", "1. Столица Франции?\nа) Лион\nб) Париж\nв) Ницца\nОтвет: б"],
    ["numbers", "Вопрос 1. Столица Франции?\n1) Лион\n2) Париж\n3) Ницца\nПравильный ответ: 2"],
    ["a star before the right option", "Столица Франции?\n\nA) Лион\n*B) Париж\nC) Ницца"],
    ["a plus after it", "Столица Франции?\nа) Лион\nб) Париж +\nв) Ницца"],
    [
      "a letter of the other keyboard",
      "Столица Франции?\nА. Ницца\nВ. Париж\nС. Лион\nANSWER: B"
        .replace("Ницца", "Лион")
        .replace(/С\. Лион/, "С. Ницца"),
    ],
  ])("are read with %s", (_, pasted) => expect(shown(pasted)).toEqual([CAPITAL]));

  test("follow one another with and without empty lines", () => {
    const one = "Столица Франции?\nA. Лион\nB. Париж\nC. Ницца\nANSWER: B";
    expect(shown(`${one}\n\n${one}\n${one}`)).toEqual([CAPITAL, CAPITAL, CAPITAL]);
  });

  test("with numbers follow options with letters", () => {
    const question = "Столица?\nа) Лион\n+б) Париж";
    const read = ["one: Столица?", "- Лион", "+ Париж"];
    expect(shown(`1. ${question}\n2. ${question}`)).toEqual([read, read]);
  });

  test("with several answers are multiple choice", () => {
    expect(shown("Чётные?\nA. 1\nB. 2\nC. 4\nANSWER: B, C")).toEqual([
      ["several: Чётные?", "- 1", "+ 2", "+ 4"],
    ]);
  });

  test("without an answer are kept incomplete, and lines without options are no question", () => {
    expect(shown("Столица?\nA. Лион\nB. Париж")).toEqual([["one: Столица?", "- Лион", "- Париж"]]);
    expect(shown("Просто текст\nв две строки")).toEqual([]);
  });
});

describe("a text pasted into an empty prompt", () => {
  test.each([
    ["a question with a right option", "Столица?\nа) Лион\n+б) Париж"],
    ["GIFT with a title", "::Столицы:: Столица Франции? {~Лион =Париж}"],
    ["GIFT as Moodle writes it", "// question: 0  name: Столицы\n::Столицы::Столица Франции? {~Лион =Париж}"],
    ["GIFT with a category", "$CATEGORY: Столицы\n\nСтолица Франции? {~Лион =Париж}"],
  ])("holds questions: %s", (_, text) => expect(holdsQuestions(text)).toBe(true));

  test.each([
    ["words", "Столица Франции?"],
    ["a list", "Что из этого правда?\n1) Лион на Роне\n2) Париж на Сене"],
    ["options that end with a plus", "Что компилируется?\n1) C++\n2) Python"],
    ["code", "int main() { return x = 1; }"],
    ["nothing", ""],
  ])("belongs in the prompt: %s", (_, text) => expect(holdsQuestions(text)).toBe(false));
});

test("GIFT has answers in braces", () => {
  expect(["2 + 2 {=4}", "Кто? {\n=Пушкин\n}", "2 + 2 {=4", "words"].map(isGift)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
