import { describe, expect, test } from "vitest";
import { said } from "../quiz/testing";
import { missingInQuestion } from "./completeness";
import { copyOf, newQuestion, type RubricQuestion } from "./model";
import {
  type AuthorRubric,
  bestOf,
  copyOfRubric,
  newCriterion,
  newLevel,
  nextCriterion,
  pointsOf,
} from "./rubric";

const rubric: AuthorRubric = {
  is_shown: false,
  criteria: [
    { id: "a", name: "Аргументы", description: "Опора на текст", levels: [newLevel("Есть", 0.1)] },
    { id: "b", name: "Примеры", description: "", levels: [newLevel("Нет"), newLevel("Два", 0.2)] },
  ],
};
const question = (rubric: AuthorRubric, points: number): RubricQuestion => ({
  ...(newQuestion("essay") as RubricQuestion),
  prompt: said("?"),
  points,
  rubric,
});

describe("the points of a rubric", () => {
  test("are the sum of the best levels", () => {
    expect(pointsOf(rubric)).toBe(0.3);
    expect(bestOf({ levels: [] })).toBe(0);
    expect(pointsOf({ ...rubric, criteria: [] })).toBe(0);
  });

  test("of a first criterion are those of the question", () => {
    const { levels } = newCriterion(5, ["Полностью", "Частично", "Нет"]);
    expect(levels.map(({ name, points }) => [name, points])).toEqual([
      ["Полностью", 5],
      ["Частично", 2.5],
      ["Нет", 0],
    ]);
  });

  test("of the next criterion are those of the one before it, with new ids", () => {
    const [, second] = rubric.criteria;
    if (!second) throw new Error("no criterion");
    const next = nextCriterion(second);
    expect(next.levels.map(({ name, points }) => [name, points])).toEqual([
      ["Нет", 0],
      ["Два", 0.2],
    ]);
    expect(next.name).toBe("");
    expect(next.levels.map(({ id }) => id)).not.toEqual(second.levels.map(({ id }) => id));
  });
});

test("a copy has new ids and the same texts", () => {
  const copy = copyOfRubric(rubric, true);
  const ids = ({ criteria }: AuthorRubric) =>
    criteria.flatMap(({ id, levels }) => [id, ...levels.map((level) => level.id)]);
  expect(copy.is_shown).toBe(true);
  expect(copy.criteria.map(({ name, description }) => [name, description])).toEqual([
    ["Аргументы", "Опора на текст"],
    ["Примеры", ""],
  ]);
  expect(new Set([...ids(copy), ...ids(rubric)]).size).toBe(2 * ids(rubric).length);
  const copied = copyOf(question(rubric, 0.3)) as RubricQuestion;
  expect(copied.rubric?.criteria[0]?.id).not.toBe("a");
  expect(copied.rubric?.criteria.map(({ name }) => name)).toEqual(["Аргументы", "Примеры"]);
});

describe("a question with a rubric", () => {
  test.each<[string, AuthorRubric, number, string[]]>([
    ["is complete", rubric, 0.3, []],
    ["needs criteria", { ...rubric, criteria: [] }, 0, ["rubric.criteria: criteria"]],
    [
      "needs names and levels",
      {
        ...rubric,
        criteria: [
          { id: "a", name: " ", description: "", levels: [newLevel()] },
          { id: "b", name: "Б", description: "", levels: [] },
        ],
      },
      0,
      [
        "rubric.criteria[0].name: criterionName",
        "rubric.criteria[0].levels[0].name: levelName",
        "rubric.criteria[1].levels: levels",
      ],
    ],
    ["needs the sum as its points", rubric, 1, ["rubric.criteria: rubricPoints"]],
  ])("%s", (_, rubric, points, lacks) => {
    const found = missingInQuestion(question(rubric, points)).map(([at, lack]) => `${at}: ${lack}`);
    expect(found).toEqual(lacks);
  });
});
