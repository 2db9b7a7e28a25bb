import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { refreshQuiz } from "../refreshQuiz";
import { answerBox, button, clock, end, open, plain, seconds, server, start, ticket } from "./quizTesting";
import { running } from "./testing";

test("at the end the answers are submitted by themselves, and the result says so", async () => {
  start();
  await open();
  await seconds(1195);
  fireEvent.change(await answerBox(), { target: { value: "кот" } });
  await seconds(6);
  expect(server.saves.at(-1)?.answers).toEqual([{ questionId: "q3", text: "кот" }]);
  expect(server.submissions).toMatchObject([{ answers: [] }]);
  expect(await screen.findByText("Время вышло: отправлены сохранённые ответы")).toBeTruthy();
  const heading = screen.getByRole("heading", { name: "Тест пока не пройден" });
  expect(document.activeElement).toBe(heading);
  expect(clock()).toBeNull();
});

test("at the end without network the inputs are locked, and the result appears later", async () => {
  start();
  await open();
  await answerBox();
  server.isOffline = true;
  await seconds(1190);
  fireEvent.change(await answerBox(), { target: { value: "кот" } });
  await seconds(15);
  expect((await answerBox()).disabled).toBe(true);
  const end = within(screen.getByRole("form")).getByText(/^Время вышло/);
  expect(plain(end.textContent)).toMatch(/будут отправлены, если сервер ответит до/);
  server.isOffline = false;
  await seconds(11);
  expect(server.saves.at(-1)?.elapsedSeconds).toBeLessThan(1200);
  expect(await screen.findByText("Время вышло: отправлены сохранённые ответы")).toBeTruthy();
});

test("an attempt that ended elsewhere shows its result", async () => {
  start();
  await open();
  await answerBox();
  server.outcome = "ENDED";
  end();
  fireEvent.click(screen.getByRole("radio", { name: "b" }));
  await seconds(1);
  expect(await screen.findByRole("heading", { name: "Тест пока не пройден" })).toBeTruthy();
  expect(server.submissions).toEqual([]);
  expect(screen.queryByText(/^Время вышло/)).toBeNull();
});

test("an attempt whose limit the author removes goes on, and its result is shown", async () => {
  start();
  const { quiz } = server.page;
  server.page = { ...server.page, quiz: quiz && { ...quiz, timeLimitSeconds: null } };
  await open();
  expect(await screen.findByRole("timer")).toBeTruthy();
  fireEvent.click(await button("Отправить ответы"));
  fireEvent.click(await button("Всё равно отправить"));
  expect(await screen.findByRole("heading", { name: "Тест пока не пройден" })).toBeTruthy();
});

test("an attempt that a teacher deletes leads back to the start", async () => {
  start();
  await open();
  await answerBox();
  server.outcome = "ENDED";
  server.page = { ...server.page, runningAttempt: null };
  fireEvent.click(screen.getByRole("radio", { name: "b" }));
  await seconds(1);
  const heading = await screen.findByRole("heading", { name: "Тест на время" });
  expect(await screen.findByText(/^Преподаватель сбросил эту попытку/)).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(heading.closest("section")));
  // A new start may return the attempt that seemed to be gone.
  server.outcome = "SAVED";
  fireEvent.click(await button("Начать"));
  expect(await screen.findByRole("timer")).toBeTruthy();
  expect(screen.queryByText(/^Преподаватель сбросил/)).toBeNull();
});

test("an attempt whose page is taken away gives way to the failure", async () => {
  start();
  await open();
  await answerBox();
  server.outcome = "ENDED";
  server.isGone = true;
  fireEvent.click(screen.getByRole("radio", { name: "b" }));
  await seconds(1);
  expect(await screen.findByText("Не найдено")).toBeTruthy();
  expect(clock()).toBeNull();
});

test("answers that came too late are told in one sentence, and never as saved", async () => {
  start();
  await open();
  await answerBox();
  server.isOffline = true;
  fireEvent.click(screen.getByRole("radio", { name: "b" }));
  fireEvent.change(await answerBox(), { target: { value: "кот" } });
  await seconds(1300);
  server.outcome = "TIME_OVER";
  server.isOffline = false;
  await seconds(11);
  expect(plain((await screen.findByText(/слишком поздно/)).textContent)).toBe(
    "2 ответа пришли слишком поздно и не засчитаны",
  );
  expect(screen.queryByText("Сохранено")).toBeNull();
});

test("a next attempt that was started elsewhere comes before the result of this one", async () => {
  start();
  const client = await open();
  await answerBox();
  end();
  server.page = { ...server.page, runningAttempt: running({ ticket: `${ticket} next`, attemptNo: 2 }) };
  fireEvent.click(screen.getByRole("radio", { name: "b" }));
  act(() => refreshQuiz(client, "p"));
  await seconds(1);
  expect(await screen.findByRole("timer")).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Тест пока не пройден" })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "b" }).checked).toBe(false);
});

test("what was left of an attempt that has ended is forgotten, and an untimed draft is kept", async () => {
  start();
  await open();
  await answerBox();
  server.isOffline = true;
  fireEvent.click(screen.getByRole("radio", { name: "b" }));
  await seconds(1);
  localStorage.setItem("quiz-draft:me:p", "a draft");
  expect(Object.keys(localStorage)).toHaveLength(2);
  cleanup();
  end();
  server.isOffline = false;
  await open();
  expect(await screen.findByRole("heading", { name: "Тест пока не пройден" })).toBeTruthy();
  await seconds(0);
  expect(Object.keys(localStorage)).toEqual(["quiz-draft:me:p"]);
});
