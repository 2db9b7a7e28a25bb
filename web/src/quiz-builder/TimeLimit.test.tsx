import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { renderInRouter } from "../testing/renderInRouter";
import { type AuthorQuiz, defaultQuiz, readQuiz } from "./model";
import { TimeLimit } from "./TimeLimit";

afterEach(cleanup);

let quiz: AuthorQuiz;
function Form({ initial }: { initial: AuthorQuiz }) {
  const [value, setValue] = useState(initial);
  quiz = value;
  return <TimeLimit quiz={value} onChange={setValue} />;
}

const minutes = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Ограничение времени, мин" });
const grace = () => screen.queryByRole<HTMLInputElement>("textbox", { name: "Запас на связь, с" });
const type = (field: HTMLInputElement | null, value: string) =>
  field && fireEvent.change(field, { target: { value } });

test("a quiz has no time limit until its author sets one, in minutes", async () => {
  await renderInRouter(<Form initial={defaultQuiz} />);
  expect(minutes().value).toBe("");
  expect(grace()).toBeNull();
  type(minutes(), "20");
  expect(quiz).toMatchObject({ time_limit_seconds: 1200, grace_seconds: 60 });
  type(grace(), "0");
  expect(quiz.grace_seconds).toBe(0);
  type(minutes(), "");
  expect(quiz.time_limit_seconds).toBeNull();
  expect(grace()).toBeNull();
});

test.each(["0", "1441", "0,5", "час"])("%s minutes are not taken", async (typed) => {
  await renderInRouter(<Form initial={{ ...defaultQuiz, time_limit_seconds: 600 }} />);
  type(minutes(), typed);
  expect(quiz.time_limit_seconds).toBe(600);
  expect(minutes().getAttribute("aria-invalid")).toBe("true");
});

test.each([
  [90, "1,5"],
  [100, "1,67"],
  [10, "0,17"],
])("a limit of %i seconds from the API is shown as %s minutes and stays as it is", async (seconds, shown) => {
  await renderInRouter(<Form initial={{ ...defaultQuiz, time_limit_seconds: seconds }} />);
  expect(minutes().value).toBe(shown);
  fireEvent.focus(minutes());
  fireEvent.blur(minutes());
  type(grace(), "30");
  expect(quiz).toMatchObject({ time_limit_seconds: seconds, grace_seconds: 30 });
});

test("a quiz that was stored before there were time limits has none", () => {
  const { time_limit_seconds, grace_seconds, ...before } = defaultQuiz;
  expect(readQuiz(before)).toMatchObject({ time_limit_seconds: null, grace_seconds: 60 });
});
