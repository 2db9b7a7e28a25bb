import { ApolloClient, ApolloLink, InMemoryCache, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { setLanguage } from "../i18n";
import { openTimes } from "../testing/openTimes";
import { renderInRouter } from "../testing/renderInRouter";
import { loadDraft } from "./draft";
import type { QuizPageState } from "./model";
import { Quiz } from "./QuizPart";
import { Reviewed } from "./Reviewed";
import { questions } from "./testing";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const length = { ...questions.number, units: ["м", "км"] };

async function open(question: typeof length) {
  const send = vi.fn();
  const link = new ApolloLink(({ variables }) => {
    send(variables);
    return new Observable(() => {});
  });
  const page = {
    id: "p",
    version: 1,
    isCompleted: false,
    attemptsLeft: null,
    bestPercent: null,
    latePenaltyPerDay: null,
    latePenaltyMax: null,
    timeline: { ...openTimes, lateUntil: null, penaltyPercent: 0 },
    course: { id: "c", timeZone: null },
    quiz: {
      passPercent: 60,
      maxAttempts: null,
      reveal: "AFTER_SUBMIT",
      checking: "AT_END",
      timeLimitSeconds: null,
      attemptNo: 1,
      questionCount: 1,
      questions: [question],
    },
    attempts: [],
    runningAttempt: null,
  } as unknown as QuizPageState;
  await renderInRouter(
    <ApolloProvider client={new ApolloClient({ link, cache: new InMemoryCache() })}>
      <Quiz page={page} userId="me" mode="take" />
    </ApolloProvider>,
  );
  return send;
}

const number = () => screen.getByPlaceholderText("Число");
const unit = () => screen.getByRole<HTMLSelectElement>("combobox", { name: /^Единица/ });
const submit = () => fireEvent.click(screen.getByRole("button", { name: "Отправить ответы" }));

test("a missing unit is asked for before the answers are submitted with it", async () => {
  const send = await open(length);
  fireEvent.change(number(), { target: { value: "5" } });
  // The unit may still come.
  expect(unit().getAttribute("aria-invalid")).toBeNull();
  fireEvent.blur(number());
  expect(unit().getAttribute("aria-invalid")).toBe("true");
  submit();
  expect(screen.getByRole("alert").textContent).toContain("Выберите единицу: вопрос\u00a01");
  expect(send).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("link", { name: /вопрос/ }));
  expect(document.activeElement).toBe(unit());
  fireEvent.change(unit(), { target: { value: "км" } });
  expect(unit().getAttribute("aria-invalid")).toBeNull();
  expect(loadDraft("me", "p")?.answers).toEqual({ q4: { number: "5", unit: "км" } });
  // A change of the number keeps the unit.
  fireEvent.change(number(), { target: { value: "7" } });
  submit();
  const answers = [{ questionId: "q4", number: "7", unit: "км" }];
  expect(send).toHaveBeenCalledWith({ input: expect.objectContaining({ answers }) });
});

test("the only unit is shown beside the number and submitted with it", async () => {
  const send = await open({ ...length, units: ["м"] });
  expect(screen.queryByRole("combobox")).toBeNull();
  const about = number().getAttribute("aria-describedby")?.split(" ") ?? [];
  expect(about.map((id) => document.getElementById(id)?.textContent)).toContain("м");
  fireEvent.change(number(), { target: { value: "5" } });
  submit();
  const answers = [{ questionId: "q4", number: "5", unit: "м" }];
  expect(send).toHaveBeenCalledWith({ input: expect.objectContaining({ answers }) });
});

test("given and right answers are shown with their units", () => {
  const shown = (answer: object) =>
    render(<Reviewed question={length} answer={answer} right={{ number: "5", unit: "м" }} />).container
      .textContent;
  expect(shown({ number: " 5 ", unit: "км" })).toBe("Ваш ответ5\u00a0кмВерный ответ5\u00a0м");
  expect(shown({ number: "5" })).toContain("Ваш ответ5Верный");
  expect(shown({})).toContain("нет ответа");
});

test("the decimal mark of the right number is that of the language", async () => {
  const shown = () =>
    render(<Reviewed question={length} answer={{ number: "1.5" }} right={{ number: "-1900.95" }} />).container
      .textContent;
  expect(shown()).toBe("Ваш ответ1.5Верный ответ−1900,95");
  await setLanguage("en");
  expect(shown()).toContain("−1900.95");
  await setLanguage("ru");
});
