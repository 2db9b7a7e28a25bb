import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { CombinedGraphQLErrors } from "@apollo/client/errors";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCache } from "../../api/cache";
import { renderInRouter } from "../../testing/renderInRouter";
import type { QuizPageState } from "../model";
import { Quiz, QuizPart } from "../QuizPart";
import { refreshQuiz } from "../refreshQuiz";
import { graded, quizPage, running, shown } from "./testing";

/** What the server has. */
interface State {
  page: QuizPageState;
  /** The answer to the next start: an error of the API, or a reason why nothing was started. */
  startError: { code?: string; message: string } | null;
  isOffline: boolean;
  saves: { elapsedSeconds: number; answers: object[] }[];
  submissions: { answers: object[] }[];
  outcome: "SAVED" | "TIME_OVER" | "ENDED";
  /** Ids of questions whose answers are refused. */
  refused: string[];
  /** Whether the page cannot be read any more. */
  isGone: boolean;
}

// A busy machine takes longer than a second for some steps.
configure({ asyncUtilTimeout: 10_000 });

let server: State;
let startedAt = 0;
let tickets = 0;
let ticket = "";

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  tickets += 1;
  ticket = `ticket ${tickets}`;
  const page = quizPage({ attemptsLeft: 2 });
  server = {
    page: { ...page, quiz: page.quiz && { ...page.quiz, questions: [] } },
    startError: null,
    isOffline: false,
    saves: [],
    submissions: [],
    outcome: "SAVED",
    refused: [],
    isGone: false,
  };
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const elapsed = () => (performance.now() - startedAt) / 1000;
const withQuestions = (page: QuizPageState): QuizPageState => ({
  ...page,
  quiz: page.quiz && { ...page.quiz, questions: shown },
});
function start(over: Parameters<typeof running>[0] = {}) {
  startedAt = performance.now();
  server.page = { ...withQuestions(server.page), runningAttempt: running({ ticket, ...over }) };
}
function end() {
  const attempts = [graded({ submittedAt: new Date().toISOString() })];
  server.page = { ...withQuestions(server.page), runningAttempt: null, attempts, attemptsLeft: 1 };
}

/** The page as the API answers it, with the names of its types. */
function typed() {
  const { timeline, course, quiz, attempts, runningAttempt, ...page } = server.page;
  const named = (__typename: string, value: object | null) => value && { ...value, __typename };
  return {
    ...page,
    __typename: "Page",
    timeline: named("Timeline", timeline),
    course: named("Course", course),
    quiz: named(
      "Quiz",
      quiz && {
        ...quiz,
        questions: quiz.questions.map((question) =>
          "options" in question
            ? { ...question, options: question.options.map((option) => named("QuizPart", option)) }
            : question,
        ),
      },
    ),
    attempts: attempts.map((attempt) => named("Attempt", attempt)),
    runningAttempt: named(
      "RunningAttempt",
      runningAttempt && { ...runningAttempt, elapsedSeconds: elapsed() },
    ),
  };
}

const afterAttempt = {
  lesson: { __typename: "Lesson", id: "l", isCompleted: false },
  course: {
    __typename: "Course",
    id: "c",
    progress: { __typename: "Progress", percent: 0, pagesDone: 0, pagesTotal: 1 },
  },
};

const coded = (code: string, message: string) =>
  new CombinedGraphQLErrors({ errors: [{ message, extensions: { code } }] });

// biome-ignore lint/suspicious/noExplicitAny: the variables of any operation
function answerTo(name: string | undefined, input: any): object | Error | null {
  switch (name) {
    case "Me":
      return { me: { __typename: "User", id: "me" } };
    case "QuizPage":
      return server.isGone ? coded("NOT_FOUND", "Не найдено") : { page: typed() };
    case "StartAttempt": {
      const error = server.startError;
      if (error?.code) return coded(error.code, error.message);
      if (!error) start();
      return {
        startAttempt: {
          __typename: "StartAttemptPayload",
          error: error?.message ?? null,
          attempt: error ? null : { __typename: "RunningAttempt", ticket },
          page: typed(),
        },
      };
    }
    case "SaveAnswers":
      server.saves.push(input);
      if (input.answers.some(({ questionId }: { questionId: string }) => server.refused.includes(questionId)))
        return coded("VALIDATION", "Слишком длинно");
      return {
        saveAnswers: {
          __typename: "SaveAnswersPayload",
          outcome: server.outcome,
          elapsedSeconds: elapsed(),
        },
      };
    case "SubmitQuiz":
      server.submissions.push(input);
      end();
      return {
        submitQuiz: {
          __typename: "SubmitQuizPayload",
          outcome: "TAKEN",
          error: null,
          attempt: { ...server.page.attempts[0], __typename: "Attempt" },
          ...afterAttempt,
          page: { ...typed(), isVisited: true, reason: null },
        },
      };
    default:
      return null;
  }
}

async function open() {
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        if (server.isOffline) return observer.error(new TypeError("Failed to fetch"));
        const answer = answerTo(operationName, variables.input);
        if (answer instanceof Error) return observer.error(answer);
        if (!answer) return;
        observer.next({ data: answer as Record<string, unknown> });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  await renderInRouter(
    <ApolloProvider client={client}>
      <QuizPart pageId="p" isPreview={false} nextPage={null} onNext={() => undefined} />
    </ApolloProvider>,
  );
  return client;
}

const plain = (text: string | null) => (text ?? "").replaceAll("\u00a0", " ");
const button = (name: string) =>
  screen.findByRole<HTMLButtonElement>("button", { name: (found) => plain(found) === name });
const clock = () => screen.queryByRole("timer", { name: "Оставшееся время" });
const answerBox = () => screen.findByPlaceholderText<HTMLInputElement>("Ваш ответ");
const seconds = (count: number) => act(() => vi.advanceTimersByTimeAsync(count * 1000));
const setOnline = (isOnline: boolean) => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  act(() => void window.dispatchEvent(new Event(isOnline ? "online" : "offline")));
};

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

test("without network the answers stay on the device and are sent afterwards", async () => {
  start();
  await open();
  await answerBox();
  server.isOffline = true;
  fireEvent.change(await answerBox(), { target: { value: "кот" } });
  await seconds(2);
  expect(plain((await screen.findByText(/^Сервер не отвечает/)).textContent)).toBe(
    "Сервер не отвечает: ответы сохранены на этом устройстве и будут отправлены",
  );
  setOnline(false);
  const offline = await screen.findByText(/^Нет связи/);
  expect(plain(offline.textContent)).toBe(
    "Нет связи: ответы сохранены на этом устройстве и будут отправлены",
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
  expect(plain(end.textContent)).toMatch(/будут отправлены, когда вернётся связь/);
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
