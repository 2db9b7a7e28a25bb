import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { said } from "../quiz/testing";
import { renderInRouter } from "../testing/renderInRouter";
import { runToastAction, toastStore } from "../ui/toasts";
import { ChoiceEditor } from "./ChoiceEditor";
import type { AuthorQuestion, ChoiceQuestion } from "./model";

afterEach(cleanup);

let question: ChoiceQuestion;

function Editing({ type }: { type: ChoiceQuestion["type"] }) {
  const [now, setNow] = useState<AuthorQuestion>({
    id: "q",
    type,
    prompt: said("?"),
    points: 1,
    explanation: null,
    options: [
      { id: "a", content: said("два"), correct: true },
      { id: "b", content: said("три"), correct: false },
    ],
  });
  question = now as ChoiceQuestion;
  return <ChoiceEditor question={question} onChange={setNow} onEdit={setNow} problemAt={() => null} />;
}

const marks = () => question.options.map(({ correct, weight }) => `${correct ? "+" : "-"}${weight ?? ""}`);
const weight = (number: number) =>
  screen.getByRole<HTMLInputElement>("textbox", { name: `Вес варианта ${number}, %` });
const score = (value: string) => fireEvent.change(screen.getByLabelText("Оценивание"), { target: { value } });
const type = (number: number, value: string) => fireEvent.change(weight(number), { target: { value } });
const undo = () => act(async () => void runToastAction(Number(toastStore.get().at(-1)?.id)));

test("weights of a multiple choice mark the right options", async () => {
  await renderInRouter(<Editing type="multiple_choice" />);
  score("weights");
  await waitFor(() => expect(marks()).toEqual(["+100", "-0"]));
  type(1, "66,5");
  type(2, "33,5");
  expect(marks()).toEqual(["+66.5", "+33.5"]);
  type(2, "-20");
  expect(marks()).toEqual(["+66.5", "--20"]);
  fireEvent.click(screen.getByRole("checkbox", { name: "Вариант 2 верный" }));
  expect(marks()).toEqual(["+66.5", "+33.5"]);
});

test("an unreadable weight stays in its field and is not stored", async () => {
  await renderInRouter(<Editing type="multiple_choice" />);
  score("weights");
  await waitFor(() => expect(weight(1).value).toBe("100"));
  type(1, "сто");
  fireEvent.blur(weight(1));
  expect(weight(1).value).toBe("сто");
  expect(weight(1).getAttribute("aria-invalid")).toBe("true");
  expect(marks()).toEqual(["+100", "-0"]);
});

test("weights that are switched off can be brought back", async () => {
  await renderInRouter(<Editing type="multiple_choice" />);
  score("weights");
  await waitFor(() => expect(marks()).toEqual(["+100", "-0"]));
  type(2, "-20");
  score("whole");
  await waitFor(() => expect(question.all_or_nothing).toBe(true));
  expect(marks()).toEqual(["+", "-"]);
  await undo();
  expect(marks()).toEqual(["+100", "--20"]);
  expect(question.all_or_nothing).toBeUndefined();
});

test("partial points of a single choice leave the right option its whole weight", async () => {
  await renderInRouter(<Editing type="single_choice" />);
  expect(screen.queryByLabelText("Оценивание")).toBeNull();
  fireEvent.click(screen.getByRole("checkbox", { name: "Баллы за неточные варианты" }));
  await waitFor(() => expect(marks()).toEqual(["+100", "-0"]));
  expect(weight(1).readOnly).toBe(true);
  type(2, "50");
  expect(marks()).toEqual(["+100", "-50"]);
  fireEvent.click(screen.getByRole("radio", { name: "Вариант 2 верный" }));
  expect(marks()).toEqual(["-0", "+100"]);
});

test("a change of the type that drops all or nothing can be taken back", async () => {
  await renderInRouter(<Editing type="multiple_choice" />);
  fireEvent.click(screen.getByRole("checkbox", { name: "Вариант 2 верный" }));
  score("whole");
  await waitFor(() => expect(question.all_or_nothing).toBe(true));
  fireEvent.click(screen.getByRole("checkbox", { name: "Верных вариантов может быть несколько" }));
  await waitFor(() => expect(question.type).toBe("single_choice"));
  expect(marks()).toEqual(["+", "-"]);
  expect(question.all_or_nothing).toBeUndefined();
  expect(toastStore.get().at(-1)?.text).toBe("Оценивание «Всё или ничего» отключено");
  await undo();
  expect(question).toMatchObject({ type: "multiple_choice", all_or_nothing: true });
  expect(marks()).toEqual(["+", "+"]);
});

test("the scoring that an author chooses is not offered to be taken back", async () => {
  await renderInRouter(<Editing type="multiple_choice" />);
  score("whole");
  await waitFor(() => expect(question.all_or_nothing).toBe(true));
  const before = toastStore.get().length;
  score("parts");
  await waitFor(() => expect(question.all_or_nothing).toBeUndefined());
  expect(toastStore.get()).toHaveLength(before);
});
