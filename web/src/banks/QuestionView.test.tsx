import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { ApiError } from "../api/apiError";
import { questions } from "../quiz/testing";
import {
  type AuthorQuestion,
  documentOf,
  KINDS,
  newChoice,
  newItem,
  newPair,
  newQuestion,
} from "../quiz-builder/model";
import { newCriterion } from "../quiz-builder/rubric";
import { startI18n } from "../testing/startI18n";
import { wordsOf } from "./bank";
import { QuestionView } from "./QuestionView";
import { plainText } from "./testing";
import { refusalOf } from "./useQuestionEdit";

beforeAll(startI18n);
afterEach(cleanup);

const make = (type: (typeof KINDS)[number], more: object): AuthorQuestion =>
  ({ ...newQuestion(type), prompt: documentOf("Что это?"), ...more }) as AuthorQuestion;
const shown = (question: AuthorQuestion) => plainText(render(<QuestionView question={question} />).container);

test.each(KINDS)("a new question of the kind %s is shown without an error", (kind) => {
  expect(shown(newQuestion(kind))).toContain("1 балл");
});

test("right options are marked in words, and have their feedback", () => {
  const options = [newChoice("Кит", true), { ...newChoice("Кот"), feedback: documentOf("Он мал") }];
  shown(make("single_choice", { options, explanation: documentOf("Кит больше") }));
  const [whale, cat] = screen.getAllByRole("listitem");
  expect(plainText(whale)).toBe("КитВерно");
  expect(plainText(cat)).toContain("Он мал");
  expect(screen.getByText("Кит больше")).toBeTruthy();
});

test("hints are shown below the explanation, without empty ones", () => {
  const text = shown(make("numeric", { hints: [documentOf("Сложите"), documentOf("")] }));
  expect(text).toContain("ПодсказкаСложите");
});

test("weights and all or nothing are shown with the options", () => {
  const options = [
    { ...newChoice("Кит", true), weight: 100 },
    { ...newChoice("Кот"), weight: -33.5 },
  ];
  shown(make("multiple_choice", { options }));
  expect(screen.getAllByRole("listitem").map(plainText)).toEqual(["Китвес 100 %Верно", "Котвес -33,5 %"]);
  expect(
    shown(make("multiple_choice", { options: [newChoice("Кит", true)], all_or_nothing: true })),
  ).toContain("только полностью верный ответ");
});

test.each([
  ["short_text", { accepted: ["да", "ага"], regex: "да+" }, ["да, ага", "да+"]],
  ["numeric", { value: 9.8, tolerance: 0.1 }, ["9,8 ± 0,1"]],
  ["numeric", { value: 10, tolerance: 0, tolerance_percent: 5 }, ["10 ± 5 %"]],
  [
    "numeric",
    {
      value: 5,
      units: [
        { name: "м", factor: 1 },
        { name: "км", factor: 1000 },
      ],
    },
    ["м", "1 км = 1000 м"],
  ],
  ["matching", { pairs: [newPair("Франция")] }, ["Франция", "Пусто"]],
  [
    "hotspot",
    {
      picture: questions.hotspot.picture,
      zones: [{ id: "z", shape: "rectangle", x: 10, y: 20, width: 30, height: 12.25 }],
      mark_all: true,
      all_or_nothing: true,
    },
    ["Область 1: от 10 до 40 % слева, от 20 до 32,25 % сверху", "Нужно отметить все области. Всё или ничего"],
  ],
  ["hotspot", {}, ["Добавьте изображение"]],
  ["ordering", { items: [newItem("Первое"), newItem("Второе")] }, ["Первое", "Второе"]],
  [
    "essay",
    { rubric: { is_shown: true, criteria: [newCriterion(4, ["Полно", "", ""])] } },
    ["Полно", "до 4"],
  ],
  ["file_upload", { guide: documentOf("Смотрите на чертёж") }, ["Смотрите на чертёж"]],
] as const)("the answer of %s is shown: %#", (kind, more, texts) => {
  const text = shown(make(kind, more));
  for (const one of texts) expect(text).toContain(one);
});

test("the answer of a formula is its parameters and its expression", () => {
  const parameters = [
    { name: "a", min: 1, max: 2.5, decimals: 1 },
    { name: "b", min: null, max: 10, decimals: 0 },
  ];
  const text = shown(
    make("formula", { parameters, expression: "a * b", tolerance: 0, tolerance_percent: 5 }),
  );
  expect(screen.getAllByRole("listitem").map(plainText)).toEqual([
    "a: от 1 до 2,5; знаков после запятой: 1",
    "b: от ? до 10; знаков после запятой: 0",
  ]);
  expect(text).toContain("Выражение для ответаa * b ± 5 %");
  expect(text).not.toContain("Верное число");
});

test("blanks are numbered in the text, and their answers below", () => {
  const text = {
    type: "doc",
    content: [
      {
        type: "paragraph",
        content: [
          { type: "text", text: "Вода кипит при " },
          { type: "blank", attrs: { blank_id: "a" } },
        ],
      },
    ],
  };
  const question = make("fill_blank", {
    prompt: documentOf(""),
    text,
    blanks: [{ id: "a", accepted: ["100"] }],
  });
  expect(shown(question)).toContain("Вода кипит при пропуск 1");
  expect(screen.getByText("100")).toBeTruthy();
  expect(wordsOf(question)).toBe("Вода кипит при ___");
});

test.each([
  ["question.options[0].content", "quiz.questions[0].options[0].content"],
  ["questions[0].question.points", "quiz.questions[0].points"],
  ["tags", null],
])("the refusal of %s is shown at its field", (field, path) => {
  const body = { detail: "Нет", errors: [{ extensions: { fields: [{ field, message: "Нельзя" }] } }] };
  expect(refusalOf(new ApiError({ url: "", status: 422, statusText: "", body }))).toEqual({
    message: "Нет",
    path,
  });
});
