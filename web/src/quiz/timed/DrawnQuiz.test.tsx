import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import {
  answerBox,
  button,
  clock,
  draw,
  end,
  open,
  plain,
  seconds,
  server,
  start,
  ticket,
} from "./quizTesting";

const noPoints = { points: 0, correct: false, isWaiting: false, isReturned: false, comment: null, marks: [] };
const resultOf = (questionId: string) => ({
  __typename: "QuestionResult",
  questionId,
  maxPoints: 1,
  ...noPoints,
  pins: [],
  explanation: null,
  optionFeedback: [],
  correctAnswer: null,
  zones: [],
  rightPlaces: [],
});
/** Grades the next attempt with a result for each of its questions. */
const gradeAll = () => {
  server.attempt = { results: ["q1", "q3", "q4"].map(resultOf) as never };
};

test("an attempt that draws its questions is started, has no clock and saves answers as they are given", async () => {
  draw();
  await open();
  const heading = await screen.findByRole("heading", { name: "Тест" });
  const words = plain(heading.closest("section")?.textContent ?? null);
  for (const fact of ["3 вопроса", "выбираются заново для каждой попытки", "Времени сколько угодно"])
    expect(words).toContain(fact);
  expect(words).not.toContain("Время пойдёт");
  expect(screen.queryByRole("form")).toBeNull();
  fireEvent.click(await button("Начать"));
  expect(await screen.findByRole("form", { name: "Тест" })).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.id).toBe("question-q1"));
  expect(clock()).toBeNull();
  fireEvent.change(await answerBox(), { target: { value: "кот" } });
  await seconds(2);
  expect(server.saves.at(-1)?.answers).toEqual([{ questionId: "q3", text: "кот" }]);
  expect(await screen.findByText("Сохранено")).toBeTruthy();
});

test("a page that closes does not promise that nothing ends the attempt", async () => {
  draw();
  await open();
  expect(await screen.findByText(/Времени сколько угодно/)).toBeTruthy();
  cleanup();
  const closesAt = new Date(Date.now() + 7 * 24 * 3600_000).toISOString();
  server.page = { ...server.page, timeline: { ...server.page.timeline, closesAt } };
  await open();
  await button("Начать");
  expect(screen.queryByText(/Времени сколько угодно/)).toBeNull();
});

test("nothing ends it by itself, and the learner submits it", async () => {
  draw();
  start({ durationSeconds: null, endsAt: null });
  await open();
  await answerBox();
  await seconds(40 * 24 * 3600);
  expect(server.submissions).toEqual([]);
  expect((await answerBox()).disabled).toBe(false);
  gradeAll();
  fireEvent.click(await button("Отправить ответы"));
  fireEvent.click(await button("Всё равно отправить"));
  expect(await screen.findByRole("heading", { name: "Тест пока не пройден" })).toBeTruthy();
  expect(screen.getAllByText("?")).toHaveLength(3);
});

test("the results of an earlier attempt show the questions that it drew", async () => {
  draw();
  gradeAll();
  end();
  await open();
  expect(await screen.findByRole("heading", { name: /Вопрос 3 из 3/ })).toBeTruthy();
  expect(screen.getAllByText("?")).toHaveLength(3);
  expect(screen.queryByText(/автор с тех пор удалил/)).toBeNull();
  fireEvent.click(await button("Пройти ещё раз"));
  expect(await button("Начать")).toBeTruthy();
});

test("a bank that is too small keeps the attempt from starting, and the learner is told what to do", async () => {
  draw();
  await open();
  server.startError = { code: "CONFLICT", message: "В банке не хватает вопросов" };
  fireEvent.click(await button("Начать"));
  const alert = await screen.findByRole("alert");
  // One box with whole sentences.
  await waitFor(() =>
    expect(plain(alert.textContent)).toMatch(/^В банке не хватает вопросов\. Попытка не потрачена\. .*\.$/),
  );
  expect(alert.children).toHaveLength(1);
  server.startError = null;
  fireEvent.click(await button("Повторить"));
  expect(await screen.findByRole("form")).toBeTruthy();
});

test.each([
  ["in a week", 7 * 24 * 3600, false],
  ["within the hour", 1800, true],
])("without a limit the clock is shown only shortly before the page closes: %s", async (_, left, isShown) => {
  draw();
  const closesAt = new Date(Date.now() + left * 1000).toISOString();
  server.page = { ...server.page, timeline: { ...server.page.timeline, closesAt } };
  start({ durationSeconds: left, endsAt: closesAt });
  await open();
  await answerBox();
  expect(clock() !== null).toBe(isShown);
});

test("answers that were still on the device when the attempt ended are told, unless they had arrived", async () => {
  draw();
  gradeAll();
  const given = (text: string, at: number) => ({ answer: { text }, at });
  localStorage.setItem(
    `quiz-timed:me:p:${ticket}`,
    JSON.stringify({
      attemptNo: 1,
      unsent: { q3: given("кот", 4), q4: { answer: { number: "5" }, at: 5 } },
      lastAt: 5,
      pending: null,
      savedAt: 1,
    }),
  );
  server.attempt = {
    ...server.attempt,
    answers: [{ __typename: "NumberAnswer", questionId: "q4", number: "5" }] as never,
  };
  end();
  await open();
  expect(plain((await screen.findByText(/не дошёл до сервера/)).textContent)).toContain("1 ответ");
  expect(Object.keys(localStorage).filter((key) => key.startsWith("quiz-timed:"))).toEqual([]);
});
