import { ApolloClient, ApolloLink } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { createCache } from "../../api/cache";
import { preciseMoment } from "../../i18n/preciseMoment";
import { renderInRouter } from "../../testing/renderInRouter";
import { Quiz } from "../QuizPart";
import {
  answerBox,
  button,
  clock,
  end,
  open,
  plain,
  seconds,
  server,
  setOnline,
  start,
  ticket,
  withQuestions,
} from "./quizTesting";

test("the start screen tells what happens, and starting shows the questions and the clock", async () => {
  await open();
  const heading = await screen.findByRole("heading", { name: "Тест на время" });
  const words = plain(heading.closest("section")?.textContent ?? null);
  for (const fact of [
    "3 вопроса",
    "Время: 20 минут",
    "нужно 60 %",
    "Осталось 2 попытки",
    "Его считает сервер",
  ])
    expect(words).toContain(fact);
  expect(screen.queryByRole("form")).toBeNull();
  fireEvent.click(await button("Начать"));
  expect(await screen.findByRole("form", { name: "Тест" })).toBeTruthy();
  expect(clock()?.textContent).toMatch(/^(20:00|19:59)$/);
  await waitFor(() => expect(document.activeElement?.id).toBe("question-q1"));
});

test("a start that fails says why and can be repeated", async () => {
  await open();
  server.isOffline = true;
  fireEvent.click(await button("Начать"));
  expect((await screen.findByRole("alert")).textContent).toBe("Сервер не отвечает");
  server.isOffline = false;
  fireEvent.click(await button("Повторить"));
  expect(await screen.findByRole("form")).toBeTruthy();
});

test("without attempts the server's reason is shown", async () => {
  await open();
  server.startError = { message: "Попыток больше нет" };
  server.page = { ...server.page, attemptsLeft: 0 };
  fireEvent.click(await button("Начать"));
  expect((await screen.findByRole("alert")).textContent).toBe("Попыток больше нет");
  expect(screen.queryByRole("button", { name: /Начать/ })).toBeNull();
});

test("a limit that the author has removed meanwhile gives way to the usual quiz", async () => {
  await open();
  const start = await button("Начать");
  server.startError = { code: "CONFLICT", message: "Время на этот тест не ограничено" };
  const page = withQuestions(server.page);
  server.page = { ...page, quiz: page.quiz && { ...page.quiz, timeLimitSeconds: null } };
  fireEvent.click(start);
  expect(await screen.findByRole("form")).toBeTruthy();
  expect(clock()).toBeNull();
});

test("offline, the button is disabled with the reason", async () => {
  await open();
  await button("Начать");
  setOnline(false);
  const start = await button("Начать");
  expect(start.disabled).toBe(true);
  expect(document.getElementById(start.getAttribute("aria-describedby") ?? "")?.textContent).toMatch(
    /^Нет сети/,
  );
  setOnline(true);
  expect((await button("Начать")).disabled).toBe(false);
  vi.restoreAllMocks();
});

test("a quiz that closes before the time of an attempt says so", async () => {
  const closesAt = new Date(Date.now() + 600_000).toISOString();
  server.page = { ...server.page, timeline: { ...server.page.timeline, closesAt } };
  await open();
  expect(await screen.findByText(/Попытка закончится тогда же/)).toBeTruthy();
});

test("between attempts the last result is shown, and the next attempt begins with its start screen", async () => {
  end();
  await open();
  fireEvent.click(await button("Пройти ещё раз"));
  expect(await button("Начать")).toBeTruthy();
  expect(screen.queryByRole("form")).toBeNull();
  fireEvent.click(await button("К результатам"));
  expect(await screen.findByRole("heading", { name: "Тест пока не пройден" })).toBeTruthy();
});

test("answers are saved as they are given, and a reload shows those of the server", async () => {
  start();
  await open();
  fireEvent.click(await screen.findByRole("radio", { name: "a" }));
  await seconds(0);
  expect(server.saves).toMatchObject([
    { pageId: "p", ticket, answers: [{ questionId: "q1", optionIds: ["a"] }] },
  ]);
  expect((await screen.findByText("Сохранено")).closest("[role=status]")).toBeNull();
  fireEvent.change(await answerBox(), { target: { value: "кот" } });
  expect(screen.getByText("Сохраняется…")).toBeTruthy();
  await seconds(1.1);
  expect(server.saves[1]?.answers).toEqual([{ questionId: "q3", text: "кот" }]);
  fireEvent.change(await answerBox(), { target: { value: "" } });
  await seconds(1.1);
  expect(server.saves[2]?.answers).toEqual([{ questionId: "q3" }]);

  cleanup();
  localStorage.clear();
  const saved = { __typename: "TextAnswer" as const, questionId: "q3", text: "сервер" };
  start({ answers: [saved] });
  await open();
  expect((await answerBox()).value).toBe("сервер");
});

/** An attempt that ends today, and the end of its minute of grace. */
const startToday = (durationSeconds = 1200) =>
  start({ durationSeconds, endsAt: new Date(Date.now() + durationSeconds * 1000).toISOString() });
const latest = () => {
  const endsAt = server.page.runningAttempt?.endsAt ?? "";
  return preciseMoment(new Date(new Date(endsAt).getTime() + 60_000).toISOString(), new Date(), "ru");
};

test("without network the answers stay on the device and are sent afterwards", async () => {
  startToday();
  await open();
  await answerBox();
  server.isOffline = true;
  fireEvent.change(await answerBox(), { target: { value: "кот" } });
  await seconds(2);
  expect(plain((await screen.findByText(/^Сервер не отвечает/)).textContent)).toBe(
    `Сервер не отвечает: ответы сохранены на этом устройстве, он примет их до ${latest()}`,
  );
  setOnline(false);
  const offline = await screen.findByText(/^Нет связи/);
  expect(plain(offline.textContent)).toBe(
    `Нет связи: ответы сохранены на этом устройстве, сервер примет их до ${latest()}`,
  );
  expect(offline.closest("[role=status]")).toBeTruthy();
  vi.restoreAllMocks();
  cleanup();
  server.isOffline = false;
  await open();
  expect((await answerBox()).value).toBe("кот");
  await seconds(0);
  expect(server.saves.at(-1)?.answers).toEqual([{ questionId: "q3", text: "кот" }]);
  expect(server.saves.at(-1)?.elapsedSeconds).toBeLessThan(1);
});

test("answers that wait for the network name the latest moment, and are not promised after it", async () => {
  startToday(90);
  await open();
  server.isOffline = true;
  setOnline(false);
  fireEvent.change(await answerBox(), { target: { value: "кот" } });
  fireEvent.click(await button("Отправить ответы"));
  fireEvent.click(await button("Всё равно отправить"));
  const waiting = await screen.findByText(/^Нет сети\. Ответы сохранены/);
  expect(plain(waiting.textContent)).toContain(`Сервер примет их до ${latest()}.`);
  await seconds(100);
  const status = () => plain(screen.getByRole("timer").closest("div")?.textContent ?? null);
  expect(status()).toContain(`сервер примет их до ${latest()}`);
  expect(screen.getByText(/^Время вышло\. Ответы, данные вовремя/).textContent).toContain(latest());
  await seconds(51);
  expect(status()).toContain("Ответы, которых нет на сервере, он уже не примет");
  expect(status()).not.toMatch(/будут отправлены|примет их/);
  expect(screen.getByText(/^Время вышло\. Сервер оценит ответы/)).toBeTruthy();
  setOnline(true);
  vi.restoreAllMocks();
});

test("the clock warns in words from the last minute on, and is announced seldom", async () => {
  start();
  await open();
  await answerBox();
  const said = () => document.querySelector("[aria-live=polite]:not(strong)")?.textContent;
  expect(said()).toBe("");
  await seconds(901);
  expect(said()).toBe("Осталось 5 минут");
  expect(screen.getByText("осталось")).toBeTruthy();
  await seconds(240);
  expect(said()).toBe("Осталась 1 минута");
  expect(screen.getByText("меньше минуты")).toBeTruthy();
  expect(clock()?.textContent).toMatch(/^00:5\d$/);
});

test("submitting early asks once about unanswered questions", async () => {
  start();
  await open();
  fireEvent.click(await button("Отправить ответы"));
  expect(await screen.findByText(/Без ответа/)).toBeTruthy();
  fireEvent.click(await button("Всё равно отправить"));
  await seconds(1);
  expect(server.submissions).toHaveLength(1);
  expect(await screen.findByRole("heading", { name: "Тест пока не пройден" })).toBeTruthy();
});

test("a refused answer is named with a link to its question until that one changes", async () => {
  start();
  await open();
  await answerBox();
  server.refused = ["q3"];
  fireEvent.change(await answerBox(), { target: { value: "кот" } });
  await seconds(1.1);
  fireEvent.click(screen.getByRole("radio", { name: "b" }));
  await seconds(1);
  const reason = await screen.findByText(/^Слишком длинно/);
  expect(within(reason).getByRole("link").getAttribute("href")).toBe("#question-q3");
  expect(screen.getByText(/^Не все ответы сохранены/)).toBeTruthy();
  server.refused = [];
  fireEvent.change(await answerBox(), { target: { value: "к" } });
  await seconds(1.1);
  expect(screen.queryByText(/^Слишком длинно/)).toBeNull();
  expect(await screen.findByText("Сохранено")).toBeTruthy();
});

test("a number that cannot be read is not shown as saved", async () => {
  start();
  await open();
  await answerBox();
  const number = document.querySelector<HTMLInputElement>("#question-q4 input");
  if (!number) throw new Error("No field for the number");
  fireEvent.change(number, { target: { value: "-" } });
  await seconds(1.1);
  expect(await screen.findByText("Не сохранено: один из ответов — не число")).toBeTruthy();
  expect(screen.queryByText("Сохранено")).toBeNull();
});

test("an attempt that was started on another device comes before the last result", async () => {
  end();
  start({ attemptNo: 2 });
  await open();
  expect(await screen.findByRole("timer")).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Тест пока не пройден" })).toBeNull();
});

test.each(["try", "look"] as const)(
  "staff see the questions and the time, without a clock: %s",
  async (mode) => {
    const client = new ApolloClient({ link: ApolloLink.empty(), cache: createCache() });
    await renderInRouter(
      <ApolloProvider client={client}>
        <Quiz page={withQuestions(server.page)} userId="me" mode={mode} />
      </ApolloProvider>,
    );
    expect(await screen.findByRole("form")).toBeTruthy();
    expect(plain(screen.getByText(/^Время для учеников/).textContent)).toBe("Время для учеников: 20 минут");
    expect(clock()).toBeNull();
    expect(screen.queryByRole("button", { name: "Начать" })).toBeNull();
  },
);
