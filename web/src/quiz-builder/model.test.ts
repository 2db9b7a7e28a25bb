import { describe, expect, test } from "vitest";
import { QUESTIONS_MAX } from "../limits.generated";
import { said } from "../quiz/testing";
import { missingParts } from "./completeness";
import {
  type AuthorQuestion,
  blanksIn,
  copyOf,
  defaultQuiz,
  hasOpenQuestion,
  KINDS,
  listLines,
  newQuestion,
  type Parameter,
  readQuiz,
  switchChoice,
  withPasted,
} from "./model";
import { numberText, readDecimal } from "./numbers";
import { locationOf } from "./refusal";

const quizOf = (...questions: AuthorQuestion[]) => ({ ...defaultQuiz, questions });
const gap = (...ids: string[]) => ({
  type: "doc",
  content: [{ type: "paragraph", content: ids.map((blank_id) => ({ type: "blank", attrs: { blank_id } })) }],
});
const right = { id: "a", content: said("да"), correct: true };
const common = { id: "q", prompt: said("?"), points: 1, explanation: null };
const a: Parameter = { name: "a", min: 1, max: 9, decimals: 0 };
const formula: AuthorQuestion = {
  ...common,
  type: "formula",
  prompt: said("{a}?"),
  parameters: [a],
  expression: "a^2",
  tolerance: 0,
  tolerance_percent: null,
};
const assignment: AuthorQuestion = {
  ...common,
  type: "hand_in",
  prompt: said(""),
  takes_text: true,
  min_words: null,
  max_words: null,
  max_files: 5,
  extensions: [],
  max_links: 0,
  guide: null,
};
const lacking = (question: AuthorQuestion) =>
  missingParts(quizOf(question)).map(({ at, lack }) => `${at}: ${lack}`);

describe("the problems that prevent publishing, as on the server", () => {
  test("include those of the whole quiz", () => {
    expect(missingParts(readQuiz(null))).toEqual([{ question: null, at: "", lack: "questions" }]);
    const worthless = {
      ...common,
      type: "numeric" as const,
      points: 0,
      value: 1,
      tolerance: 0,
      tolerance_percent: null,
    };
    expect(missingParts(quizOf(worthless))).toEqual([{ question: null, at: "", lack: "points" }]);
  });

  test.each(KINDS)("include those of a new question of the type %s", (kind) => {
    expect(missingParts(quizOf(newQuestion(kind))).length).toBeGreaterThan(0);
  });

  test("of an assignment are what it takes and its points, not its prompt", () => {
    const work = { ...assignment, takes_text: false, max_files: 0, max_links: 0, points: 0 };
    expect(lacking(assignment)).toEqual([]);
    expect(lacking(work)).toEqual(["points: handInPoints", "takes_text: way"]);
    expect(lacking({ ...work, max_links: 1, points: 1 })).toEqual([]);
    expect(lacking({ ...assignment, rubric: { is_shown: true, criteria: [] } })).toEqual([
      "rubric.criteria: criteria",
    ]);
  });

  test.each<[AuthorQuestion, string[]]>([
    [{ ...common, type: "single_choice", options: [] }, ["options: rightOption"]],
    [{ ...common, type: "single_choice", options: [right, right] }, ["options: onlyRightOption"]],
    [
      { ...common, type: "multiple_choice", options: [right, { ...right, content: said(" ") }] },
      ["options[1].content: content"],
    ],
    [
      { ...common, type: "short_text", accepted: [" "], case_sensitive: false, regex: null },
      ["accepted: accepted"],
    ],
    [{ ...common, type: "short_text", accepted: [], case_sensitive: false, regex: "x" }, []],
    [{ ...common, type: "numeric", value: null, tolerance: 0, tolerance_percent: null }, ["value: value"]],
    [{ ...formula, parameters: [] }, ["parameters: parameters"]],
    [{ ...formula, expression: " " }, ["expression: expression"]],
    [{ ...formula, expression: "a +" }, ["expression: expressionUnreadable"]],
    [{ ...formula, prompt: said("a") }, ["prompt: parameterHidden"]],
    [
      { ...formula, parameters: [a, a, { ...a, name: "pi", min: 2, max: 1 }] },
      [
        "parameters[1].name: parameterRepeated",
        "parameters[2].name: parameterName",
        "parameters[2].min: parameterValues",
      ],
    ],
    [formula, []],
    [
      { ...common, type: "matching", pairs: [{ id: "p", left: said("a"), right: said("") }] },
      ["pairs: pairs", "pairs[0].right: content"],
    ],
    [
      { ...common, type: "hotspot", picture: null, zones: [], mark_all: false, all_or_nothing: false },
      ["picture: picture", "zones: zones"],
    ],
    [{ ...common, type: "ordering", items: [{ id: "i", content: said("a") }] }, ["items: items"]],
    [{ ...common, prompt: said(""), type: "fill_blank", text: said("a"), blanks: [] }, ["text: blanks"]],
    [
      { ...common, type: "fill_blank", text: gap("a", "a"), blanks: [{ id: "a", accepted: ["x"] }] },
      ["text: blankOnce"],
    ],
    [{ ...common, type: "fill_blank", text: gap("a"), blanks: [] }, ["text: blankDefined"]],
    [
      {
        ...common,
        type: "fill_blank",
        text: gap("a"),
        blanks: [
          { id: "a", accepted: [""] },
          { id: "b", options: [right] },
        ],
      },
      ["blanks[0].accepted: blankAnswer", "blanks[1]: blankInText"],
    ],
  ])("%#", (question, lacks) => expect(lacking(question)).toEqual(lacks));
});

describe("a copy", () => {
  test("has new ids and the same answers", () => {
    const original: AuthorQuestion = {
      ...common,
      type: "fill_blank",
      text: gap("a", "b"),
      blanks: [
        { id: "a", accepted: ["x"] },
        { id: "b", options: [right] },
      ],
    };
    const copy = copyOf(original) as typeof original;
    expect(copy.id).not.toBe(original.id);
    expect(blanksIn(copy.text)).toEqual(copy.blanks.map(({ id }) => id));
    expect(copy.blanks[0]).toMatchObject({ accepted: ["x"] });
    expect(new Set([...copy.blanks.map(({ id }) => id), "a", "b"]).size).toBe(4);
    expect(lacking(copy)).toEqual([]);
  });
});

describe("an open question", () => {
  test("requires only a prompt, and its copy keeps the word limits and the note", () => {
    const essay = { ...common, type: "essay" as const, min_words: 5, max_words: 10, guide: said("Смотрите") };
    expect(lacking(essay)).toEqual([]);
    expect(lacking({ ...essay, prompt: said("") })).toEqual(["prompt: prompt"]);
    expect(copyOf(essay)).toEqual({ ...essay, id: expect.not.stringMatching(/^q$/) });
    expect(hasOpenQuestion(quizOf(essay))).toBe(true);
    expect(hasOpenQuestion(quizOf(newQuestion("short_text")))).toBe(false);
  });
});

describe("a question that takes files", () => {
  test("requires only a prompt, and its copy keeps its rules", () => {
    const files = {
      ...common,
      type: "file_upload" as const,
      max_files: 3,
      extensions: ["pdf"],
      guide: said("Смотрите"),
    };
    expect(lacking(files)).toEqual([]);
    expect(lacking({ ...files, prompt: said("") })).toEqual(["prompt: prompt"]);
    expect(copyOf(files)).toEqual({ ...files, id: expect.not.stringMatching(/^q$/) });
    expect(hasOpenQuestion(quizOf(files))).toBe(true);
    expect(newQuestion("file_upload")).toMatchObject({ max_files: 1, extensions: [], guide: null });
  });
});

describe("a change to single choice", () => {
  test("keeps the first right option, and the change back loses nothing", () => {
    const several = {
      ...common,
      type: "multiple_choice" as const,
      options: [
        { ...right, correct: false },
        { ...right, id: "b" },
        { ...right, id: "c" },
      ],
    };
    const single = switchChoice(several);
    expect(single.options.map(({ correct }) => correct)).toEqual([false, true, false]);
    expect(switchChoice(single).options).toEqual(single.options);
  });
});

describe("numbers", () => {
  test("are parsed and formatted with a comma", () => {
    expect(readDecimal("−1 000,5")).toBe(-1000.5);
    expect(readDecimal("сто")).toBeNull();
    expect(readDecimal("1e400")).toBeNull();
    expect(numberText(0.5)).toBe("0,5");
  });
});

describe("the question of the server's refusal", () => {
  test.each([
    ["quiz.questions[2].options[0].content", { question: 2, at: "options[0].content" }],
    ["quiz.questions[10]", { question: 10, at: "" }],
    ["quiz.questions", null],
    ["content.content[1]", null],
  ])("%s", (path, place) => expect(locationOf({ message: "", path })).toEqual(place));
});

test("pasted lines lose their list markers if all have one, and a single line is no list", () => {
  expect(listLines("а) Лион\n\n2. Париж\r\n12) Марсель\n• Ницца\n— Брест")).toEqual([
    "Лион",
    "Париж",
    "Марсель",
    "Ницца",
    "Брест",
  ]);
  expect(listLines("А. С. Пушкин\nМ. Ю. Лермонтов")).toEqual(["А. С. Пушкин", "М. Ю. Лермонтов"]);
  expect(listLines("- 5\n5")).toEqual(["- 5", "5"]);
  expect(listLines("Лион\n")).toBeNull();
});

describe("pasted questions", () => {
  const [first, empty, pasted] = [
    { ...newQuestion("numeric"), prompt: said("1?") },
    newQuestion("single_choice"),
    { ...newQuestion("short_text"), prompt: said("2?") },
  ];
  const written = { ...empty, options: [right] } as AuthorQuestion;
  const answered = {
    ...empty,
    options: [{ ...right, content: said(""), feedback: said("Нет") }],
  } as AuthorQuestion;

  test.each([
    ["are added at the end", null, empty, [first, empty, pasted]],
    ["replace the empty question that took them", empty.id, empty, [first, pasted]],
    ["follow a question with an option", empty.id, written, [first, written, pasted]],
    ["follow a question with feedback of an option", empty.id, answered, [first, answered, pasted]],
  ])("%s", (_, into, last, expected) => {
    expect(withPasted([first, last], [pasted], into)).toEqual(expected);
  });

  test("beyond the limit of a quiz are left out, and no other question is", () => {
    const full = Array.from({ length: QUESTIONS_MAX - 1 }, () => newQuestion("numeric"));
    const [one, two] = [newQuestion("numeric"), newQuestion("numeric")];
    expect(withPasted(full, [one, two], full[0]?.id ?? null)).toEqual([full[0], one, ...full.slice(1)]);
  });
});
