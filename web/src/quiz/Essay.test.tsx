import { ApolloClient, ApolloLink, InMemoryCache, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { openTimes } from "../testing/openTimes";
import { renderInRouter } from "../testing/renderInRouter";
import { printsOf } from "./changes";
import { saveDraft } from "./draft";
import type { Attempt, QuizPageState } from "./model";
import { Quiz } from "./QuizPart";
import { questions, said } from "./testing";

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const { essay } = questions;
const page = (...attempts: Partial<Attempt>[]) =>
  ({
    id: "p",
    version: 1,
    isCompleted: false,
    attemptsLeft: 1,
    bestPercent: attempts.length > 0 ? 0 : null,
    latePenaltyPerDay: null,
    latePenaltyMax: null,
    timeline: { ...openTimes, lateUntil: null, penaltyPercent: 0 },
    course: { id: "c", timeZone: null },
    quiz: {
      passPercent: 60,
      maxAttempts: 2,
      reveal: "AFTER_SUBMIT",
      checking: "AT_END",
      timeLimitSeconds: null,
      attemptNo: 1,
      questionCount: 1,
      questions: [essay],
    },
    attempts,
    runningAttempt: null,
  }) as unknown as QuizPageState;

const attempt = (over: Partial<Attempt>, result: Partial<Attempt["results"][number]>): Partial<Attempt> => ({
  id: "a",
  attemptNo: 1,
  score: 0,
  maxScore: 5,
  percent: 0,
  penaltyPercent: 0,
  passed: false,
  waitingAnswers: 0,
  isReturned: false,
  submittedAt: "2026-11-26T10:00:00Z",
  resultChanges: [],
  answers: [{ __typename: "EssayAnswer", questionId: essay.id, content: said("Мой ответ") }],
  results: [
    {
      questionId: essay.id,
      points: null,
      maxPoints: 5,
      correct: null,
      isWaiting: false,
      isReturned: false,
      comment: null,
      marks: [],
      pins: [],
      prompt: null,
      explanation: null,
      optionFeedback: [],
      correctAnswer: null,
      zones: [],
      rightPlaces: [],
      ...result,
    },
  ],
  ...over,
});

async function open(state: QuizPageState, send = vi.fn()) {
  const link = new ApolloLink(({ operationName, variables }) => {
    send(operationName, variables);
    return new Observable(() => {});
  });
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  await renderInRouter(
    <ApolloProvider client={client}>
      <Quiz page={state} userId="me" mode="take" />
    </ApolloProvider>,
  );
  return send;
}

test("an attempt with ungraded answers is not shown as failed", async () => {
  await open(page(attempt({ waitingAnswers: 1 }, { isWaiting: true })));
  expect(screen.getByRole("heading", { name: /Ответы приняты/ })).toBeTruthy();
  expect(screen.queryByText(/не пройден/)).toBeNull();
  const question = screen.getByText("Мой ответ").closest("section");
  if (!question) throw new Error("the question is missing");
  expect(within(question).getByText("ждёт проверки")).toBeTruthy();
  expect(within(question).queryByText("Неверно")).toBeNull();
});

test("a graded answer shows points and the comment, without a verdict", async () => {
  const graded = { points: 2, correct: false, comment: "Нет примера.\nДопишите." };
  await open(page(attempt({ score: 2, percent: 40 }, graded)));
  expect(screen.getByRole("heading", { name: "Тест пока не пройден" })).toBeTruthy();
  expect(screen.getByText(/Нет примера/).textContent).toBe("Нет примера.\nДопишите.");
  expect(screen.queryByText("Частично верно")).toBeNull();
});

test("an answer of invalid length is not sent, and the focus moves to it", async () => {
  saveDraft("me", "p", {
    version: 1,
    prints: printsOf([essay]),
    answers: { [essay.id]: { content: said("Одно слово") } },
    pending: null,
    savedAt: 1,
  });
  const send = await open(page());
  const field = await screen.findByRole("textbox");
  expect(field.textContent).toBe("Одно слово");
  expect(screen.getByText(/нужно от 3 до 5/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Отправить ответы" }));
  await screen.findByText(/Объём ответа не подходит/);
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(send).not.toHaveBeenCalledWith("SubmitQuiz", expect.anything());
});
