import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { said } from "../quiz/testing";
import { renderInRouter } from "../testing/renderInRouter";
import { Toaster } from "../ui/Toaster";
import { missingInQuestion } from "./completeness";
import { newQuestion, type RubricQuestion } from "./model";
import { RubricEditor } from "./RubricEditor";

afterEach(cleanup);

let question: RubricQuestion;

function Editing() {
  const [now, setNow] = useState<RubricQuestion>({
    ...(newQuestion("essay") as RubricQuestion),
    prompt: said("?"),
    points: 4,
  });
  question = now;
  const missing = missingInQuestion(now);
  return (
    <>
      <RubricEditor
        pageId="p"
        question={now}
        onEdit={(change) => setNow(change)}
        problemAt={(at) => missing.find(([path]) => path === at)?.[1] ?? null}
      />
      <Toaster />
    </>
  );
}

const box = (name: string) => screen.getAllByRole<HTMLInputElement>("textbox", { name });
const type = (field: Element | undefined, value: string) => {
  if (field) fireEvent.change(field, { target: { value } });
};
const press = (name: string) => fireEvent.click(screen.getAllByRole("button", { name }).at(-1) as Element);

test("a new rubric has one criterion with the points of the question, and the points follow the levels", async () => {
  await renderInRouter(<Editing />);
  press("Добавить критерии оценки");
  expect(document.activeElement).toBe(box("Критерий 1")[0]);
  expect(screen.getByText("criterionName")).toBeTruthy();
  type(box("Критерий 1")[0], "Физика");
  expect(screen.queryByText("criterionName")).toBeNull();
  press("Добавить критерий");
  expect(document.activeElement).toBe(box("Критерий 2")[0]);
  expect(question.points).toBe(8);
  type(box("Баллы: Полностью").at(-1), "5,5");
  expect(question.points).toBe(9.5);
  expect(question.rubric?.criteria.map(({ name, levels }) => [name, levels.length])).toEqual([
    ["Физика", 3],
    ["", 3],
  ]);
});

test("a removed level, criterion and rubric come back with one click", async () => {
  await renderInRouter(<Editing />);
  press("Добавить критерии оценки");
  type(box("Критерий 1")[0], "Физика");
  const before = question;
  press("Убрать: Полностью");
  expect(question.points).toBe(2);
  fireEvent.click(await screen.findByRole("button", { name: "Отменить" }));
  expect(question).toEqual(before);
  press("Убрать: Физика");
  expect(question.rubric?.criteria).toEqual([]);
  expect(screen.getByText("criteria")).toBeTruthy();
  fireEvent.click(await screen.findByRole("button", { name: "Отменить" }));
  expect(question).toEqual(before);
  press("Убрать критерии");
  expect(question).toMatchObject({ rubric: null, points: 4 });
  fireEvent.click(await screen.findByRole("button", { name: "Отменить" }));
  expect(question).toEqual(before);
});

test("Enter in a level goes to the next one, and adds one at the end; arrows change the order", async () => {
  await renderInRouter(<Editing />);
  press("Добавить критерии оценки");
  type(box("Критерий 1")[0], "Физика");
  fireEvent.keyDown(box("Уровень 2")[0] as Element, { key: "Enter" });
  expect(document.activeElement).toBe(box("Уровень 3")[0]);
  fireEvent.keyDown(box("Уровень 3")[0] as Element, { key: "Enter" });
  expect(document.activeElement).toBe(box("Уровень 4")[0]);
  const levels = within(screen.getByRole("list", { name: "Уровни: Физика" }));
  fireEvent.click(levels.getByRole("button", { name: "Выше: Нет" }));
  expect(question.rubric?.criteria[0]?.levels.map(({ name }) => name)).toEqual([
    "Полностью",
    "Нет",
    "Частично",
    "",
  ]);
  fireEvent.click(screen.getByRole("checkbox", { name: /до.ответа/ }));
  expect(question.rubric?.is_shown).toBe(false);
});
