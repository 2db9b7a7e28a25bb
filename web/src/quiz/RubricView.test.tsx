import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { startI18n } from "../testing/startI18n";
import { HowGraded, MarksView } from "./RubricView";
import { sumOf } from "./rubric";

beforeAll(startI18n);
afterEach(cleanup);

/** The texts of elements, with plain spaces. */
const texts = (elements: Iterable<Element>) =>
  [...elements].map(({ textContent }) => textContent.replaceAll("\u00a0", " "));
const level = (id: string, name: string, points: number, description = "") => ({
  id,
  name,
  points,
  description,
});

test("a rubric shows each criterion with its levels and their points", () => {
  render(
    <HowGraded
      rubric={{
        criteria: [
          {
            id: "a",
            name: "Аргументы",
            description: "Опора на текст",
            maxPoints: 2.5,
            levels: [level("a1", "Нет", 0), level("a2", "Есть", 2.5, "Не меньше двух")],
          },
          { id: "b", name: "", description: "", maxPoints: 1, levels: [level("b1", "", 1)] },
        ],
      }}
    />,
  );
  expect(screen.getByText("Как оценивают")).toBeTruthy();
  const list = screen.getByRole("list", { name: "Критерии оценки" });
  expect(texts(list.children)).toEqual([
    "Аргументыдо 2,5 баллаОпора на текст0 балловНет2,5 баллаЕстьНе меньше двух",
    "Критерий 2до 1 балла1 балл",
  ]);
  expect(within(list).getAllByRole("list", { name: "Уровни" })).toHaveLength(2);
});

test("marks show the chosen level, its points of the most, and the comment", () => {
  const mark = { criterion: "Аргументы", description: "Не меньше двух", points: 2, maxPoints: 4 };
  render(
    <MarksView
      marks={[
        { ...mark, level: "Есть", comment: "Добавьте ещё один" },
        { ...mark, criterion: "", level: "", description: "", comment: null },
      ]}
    />,
  );
  expect(texts(screen.getAllByRole("listitem"))).toEqual([
    "Аргументы2 из 4 балловЕсть — Не меньше двухДобавьте ещё один",
    "Критерий 22 из 4 баллов",
  ]);
});

test("points add up without rounding errors", () => {
  expect(sumOf([0.1, 0.2])).toBe(0.3);
  expect(sumOf([])).toBe(0);
  expect(sumOf([1.0001, 2.9999])).toBe(4);
});
