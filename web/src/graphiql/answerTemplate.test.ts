import { expect, test } from "vitest";
import { answerTemplate } from "./answerTemplate";

const parts = (...ids: string[]) => ids.map((id) => ({ id }));

test.each([
  [{ __typename: "SingleChoiceQuestion", options: parts("a", "b") }, { optionIds: ["a"] }],
  [{ __typename: "MultipleChoiceQuestion", options: parts("a", "b") }, { optionIds: ["a"] }],
  [{ __typename: "ShortTextQuestion" }, { text: "…" }],
  [{ __typename: "HotspotQuestion" }, { places: [{ x: 50, y: 50 }] }],
  [{ __typename: "EssayQuestion" }, { content: "…" }],
  [{ __typename: "FileUploadQuestion" }, { fileIds: [] }],
  [{ __typename: "NumericQuestion" }, { number: "1" }],
  [
    { __typename: "NumericQuestion", units: ["м", "км"] },
    { number: "1", unit: "м" },
  ],
  [
    { __typename: "MatchingQuestion", left: parts("a", "b"), right: parts("x", "y") },
    {
      pairs: [
        { leftId: "a", rightId: "x" },
        { leftId: "b", rightId: "y" },
      ],
    },
  ],
  [{ __typename: "OrderingQuestion", items: parts("b", "a") }, { order: ["b", "a"] }],
  [
    {
      __typename: "FillBlankQuestion",
      blanks: [
        { id: "a", options: null },
        { id: "b", options: parts("x") },
      ],
    },
    {
      blanks: [
        { blankId: "a", text: "…" },
        { blankId: "b", optionId: "x" },
      ],
    },
  ],
])("returns a valid answer to %j", (question, answer) =>
  expect(answerTemplate({ id: "q", ...question })).toEqual({ questionId: "q", ...answer }),
);
