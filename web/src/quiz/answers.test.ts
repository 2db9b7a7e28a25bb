import { describe, expect, test } from "vitest";
import { fitted, fromGiven, isAnswered, isNumber, isPartlyAnswered, lacksUnit, toInput } from "./answers";
import type { Answers } from "./model";
import { all, questions, said } from "./testing";

const full: Answers = {
  q1: { optionIds: ["a"] },
  q2: { optionIds: ["a", "c"] },
  q3: { text: "слово" },
  q4: { number: "1,5" },
  q5: { pairs: { l1: "r2", l2: "r1" } },
  q6: { order: ["i3", "i1", "i2"] },
  q7: { blanks: { b1: { text: "т" }, b2: { optionId: "o2" } } },
  q8: { content: said("Ответ в трёх словах") },
  q9: { files: [{ id: "f1", filename: "Отчёт.PDF", contentType: "application/pdf", size: 1024 }] },
  q10: {
    content: said("Работа"),
    files: [{ id: "f2", filename: "Схема.png", contentType: "image/png", size: 2048 }],
    links: ["https://example.org"],
  },
  q11: {
    places: [
      { x: 12.5, y: 40 },
      { x: 0, y: 100 },
    ],
  },
};

describe("whether a question is answered", () => {
  test.each(all.map((one) => [one.__typename, one] as const))("%s", (_, question) => {
    expect(isAnswered(question, full[question.id])).toBe(true);
    expect(isAnswered(question, undefined)).toBe(false);
  });

  test("partly: pairs, blanks or places are missing", () => {
    expect(isPartlyAnswered(questions.matching, { pairs: { l1: "r1" } })).toBe(true);
    expect(isPartlyAnswered(questions.blanks, { blanks: { b2: { optionId: "o1" } } })).toBe(true);
    expect(isPartlyAnswered(questions.hotspot, { places: [{ x: 1, y: 2 }] })).toBe(true);
    expect(isPartlyAnswered(questions.hotspot, { places: [] })).toBe(false);
    expect(isPartlyAnswered(questions.matching, { pairs: {} })).toBe(false);
    expect(isPartlyAnswered(questions.matching, full.q5)).toBe(false);
    expect(isPartlyAnswered(questions.matching, undefined)).toBe(false);
  });

  test("is false for a partial answer", () => {
    expect(isAnswered(questions.matching, { pairs: { l1: "r1" } })).toBe(false);
    expect(isAnswered(questions.blanks, { blanks: { b1: { text: " " }, b2: { optionId: "o1" } } })).toBe(
      false,
    );
    expect(isAnswered(questions.text, { text: "  " })).toBe(false);
  });
});

describe("submitted answers", () => {
  test("carry each answer in the field of its kind", () => {
    expect(toInput(all, full)).toEqual([
      { questionId: "q1", optionIds: ["a"] },
      { questionId: "q2", optionIds: ["a", "c"] },
      { questionId: "q3", text: "слово" },
      { questionId: "q4", number: "1,5" },
      {
        questionId: "q5",
        pairs: [
          { leftId: "l1", rightId: "r2" },
          { leftId: "l2", rightId: "r1" },
        ],
      },
      { questionId: "q6", order: ["i3", "i1", "i2"] },
      {
        questionId: "q7",
        blanks: [
          { blankId: "b1", text: "т" },
          { blankId: "b2", optionId: "o2" },
        ],
      },
      { questionId: "q8", content: said("Ответ в трёх словах") },
      { questionId: "q9", fileIds: ["f1"] },
      {
        questionId: "q10",
        content: said("Работа"),
        fileIds: ["f2"],
        links: ["https://example.org"],
      },
      {
        questionId: "q11",
        places: [
          { x: 12.5, y: 40 },
          { x: 0, y: 100 },
        ],
      },
    ]);
  });

  test("leave out unanswered questions, an untouched order among them", () => {
    const empty = {
      q3: { text: " " },
      q7: { blanks: { b1: { text: "" } } },
      q8: { content: said(" ") },
      q9: { files: [] },
      q10: { content: said(" "), files: [], links: ["", " "] },
      q11: { places: [] },
    };
    expect(toInput(all, empty)).toEqual([]);
  });

  test("are restored from an attempt unchanged", () => {
    const kinds = {
      optionIds: "ChoiceAnswer",
      text: "TextAnswer",
      number: "NumberAnswer",
      pairs: "MatchingAnswer",
      order: "OrderingAnswer",
      blanks: "BlanksAnswer",
      content: "EssayAnswer",
      places: "HotspotAnswer",
    };
    for (const input of toInput(
      all.filter(({ id }) => id !== "q9" && id !== "q10"),
      full,
    )) {
      const __typename = Object.entries(kinds).find(([field]) => field in input)?.[1];
      const blanks = input.blanks?.map((blank) => ({ text: null, optionId: null, ...blank }));
      expect(fromGiven({ ...input, __typename, blanks } as never)).toEqual(full[input.questionId]);
    }
    const files = full.q9?.files?.map((file) => ({ ...file, url: "/files/1?expires=2" })) ?? [];
    expect(fromGiven({ __typename: "FilesAnswer", questionId: "q9", files })).toEqual({ files });
    const { content, links } = full.q10 ?? {};
    const given = { __typename: "HandInAnswer", questionId: "q10", document: content, files, links };
    expect(fromGiven(given as never)).toEqual({ content, files, links });
  });
});

describe("answers to a changed quiz", () => {
  test.each(all.map((one) => [one.__typename, one] as const))(
    "%s: keeps the parts that fit",
    (_, question) => {
      expect(fitted(question, full[question.id])).toEqual(full[question.id]);
    },
  );

  test("lose removed parts", () => {
    expect(fitted(questions.multiple, { optionIds: ["a", "gone"] })).toEqual({ optionIds: ["a"] });
    expect(fitted(questions.single, { optionIds: ["gone"] })).toBeUndefined();
    expect(fitted(questions.matching, { pairs: { l1: "r1", l2: "gone", gone: "r2" } })).toEqual({
      pairs: { l1: "r1" },
    });
    expect(fitted(questions.ordering, { order: ["i3", "gone", "i1"] })).toEqual({
      order: ["i3", "i1", "i2"],
    });
    expect(fitted({ ...questions.hotspot, maxPlaces: 1 }, full.q11)).toEqual({
      places: [{ x: 12.5, y: 40 }],
    });
    expect(
      fitted(questions.blanks, { blanks: { b1: { optionId: "o1" }, b2: { optionId: "gone" } } }),
    ).toBeUndefined();
  });

  test("of another shape are dropped", () => {
    expect(fitted(questions.single, { optionIds: "a" as never })).toBeUndefined();
    expect(fitted(questions.matching, { pairs: null as never })).toBeUndefined();
    expect(fitted(questions.ordering, { order: [1, {}] as never })).toBeUndefined();
    expect(fitted(questions.text, { text: 1 as never })).toBeUndefined();
    expect(fitted(questions.essay, { content: "текст" })).toBeUndefined();
    expect(fitted(questions.essay, { content: { type: "paragraph" } })).toBeUndefined();
    expect(fitted(questions.files, { files: [{ id: "f1" }] as never })).toBeUndefined();
    expect(fitted(questions.hotspot, { places: [{ x: 101, y: 0 }, { x: "1" }] as never })).toBeUndefined();
  });
});

describe("a number with units", () => {
  const length = { ...questions.number, units: ["м", "км"] };

  test("is answered with both, and partly without the unit", () => {
    expect(isAnswered(length, { number: "5", unit: "км" })).toBe(true);
    expect(isAnswered(length, { number: "5" })).toBe(false);
    expect(isPartlyAnswered(length, { number: "5" })).toBe(true);
    expect(lacksUnit(length, { number: "5" })).toBe(true);
    expect(isPartlyAnswered(length, { unit: "км" })).toBe(false);
    expect(lacksUnit(length, { unit: "км" })).toBe(false);
    expect(lacksUnit(questions.number, { number: "5" })).toBe(false);
  });

  test("is submitted with its unit, which is known if there is only one", () => {
    const sent = (units: string[], unit?: string) =>
      toInput([{ ...length, units }], { q4: { number: "5", ...(unit && { unit }) } })[0];
    expect(sent(["м", "км"], "км")).toEqual({ questionId: "q4", number: "5", unit: "км" });
    expect(sent(["м"])).toEqual({ questionId: "q4", number: "5", unit: "м" });
    expect(sent(["м", "км"], "миля")).toEqual({ questionId: "q4", number: "5" });
    expect(toInput([length], { q4: { unit: "км" } })).toEqual([]);
  });

  test("keeps a unit that the question still has", () => {
    expect(fitted(length, { number: "5", unit: "км" })).toEqual({ number: "5", unit: "км" });
    expect(fitted(length, { number: "5", unit: "миля" })).toEqual({ number: "5" });
    expect(fitted(length, { unit: "км" })).toEqual({ unit: "км" });
    expect(fitted(length, { unit: 1 as never })).toBeUndefined();
    const given = { __typename: "NumberAnswer", questionId: "q4", number: "5" } as const;
    expect(fromGiven({ ...given, unit: "км" })).toEqual({ number: "5", unit: "км" });
    expect(fromGiven({ ...given, unit: null })).toEqual({ number: "5" });
  });
});

describe("numbers in common notations", () => {
  test.each(["0,1", " 1 000 000.50 ", "−3", "-,5", "+7.", "1e3", "25E-1", "1e+2"])("%j", (text) => {
    expect(isNumber(text)).toBe(true);
  });
  test.each(["", "-", ".", "1.2.3", "1,000.5", "--1", "1e", "e5", "1e401", "0x10", "NaN", "½"])(
    "not %j",
    (text) => {
      expect(isNumber(text)).toBe(false);
    },
  );
});
