import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { CombinedGraphQLErrors } from "@apollo/client/errors";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, configure, screen } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";
import { createCache } from "../../api/cache";
import { renderInRouter } from "../../testing/renderInRouter";
import type { Attempt, Question, QuizPageState } from "../model";
import { QuizPart } from "../QuizPart";
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
  /** What is special about the attempt when it ends. */
  attempt: Partial<Attempt>;
  /** Ids of questions whose answers are refused. */
  refused: string[];
  /** Whether the page cannot be read any more. */
  isGone: boolean;
  /** Whether each attempt draws its questions: then the page has none between attempts. */
  draws: boolean;
}

// A busy machine takes longer than a second for some steps.
configure({ asyncUtilTimeout: 10_000 });

export let server: State;
let startedAt = 0;
let tickets = 0;
export let ticket = "";

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
    attempt: {},
    refused: [],
    isGone: false,
    draws: false,
  };
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const elapsed = () => (performance.now() - startedAt) / 1000;
export const withQuestions = (page: QuizPageState): QuizPageState => ({
  ...page,
  quiz: page.quiz && { ...page.quiz, questions: shown },
});
const withoutQuestions = (page: QuizPageState): QuizPageState => ({
  ...page,
  quiz: page.quiz && { ...page.quiz, questions: [] },
});
export function start(over: Parameters<typeof running>[0] = {}) {
  startedAt = performance.now();
  server.page = { ...withQuestions(server.page), runningAttempt: running({ ticket, ...over }) };
}
export function end() {
  const attempts = [graded({ submittedAt: new Date().toISOString(), ...server.attempt })];
  const page = server.draws ? withoutQuestions(server.page) : withQuestions(server.page);
  server.page = { ...page, runningAttempt: null, attempts, attemptsLeft: 1 };
}
/** A quiz whose attempts draw all questions, without a time limit. */
export function draw() {
  const { quiz } = server.page;
  server.draws = true;
  server.page = withoutQuestions({ ...server.page, quiz: quiz && { ...quiz, timeLimitSeconds: null } });
}

const named = (__typename: string, value: object | null) => value && { ...value, __typename };
const typedQuestions = (questions: readonly Question[]) =>
  questions.map((question) =>
    "options" in question
      ? { ...question, options: question.options.map((option) => named("QuizPart", option)) }
      : question,
  );

/** The page as the API answers it, with the names of its types. */
function typed() {
  const { timeline, course, quiz, attempts, runningAttempt, ...page } = server.page;
  return {
    ...page,
    __typename: "Page",
    timeline: named("Timeline", timeline),
    course: named("Course", course),
    quiz: named(
      "Quiz",
      quiz && {
        ...quiz,
        questions: typedQuestions(quiz.questions),
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
    case "AttemptQuestions": {
      const questions = server.draws ? typedQuestions(shown) : null;
      const attempts = server.page.attempts.map(({ id }) => ({ __typename: "Attempt", id, questions }));
      return { page: { __typename: "Page", id: "p", attempts } };
    }
    case "StartAttempt": {
      const error = server.startError;
      if (error?.code) return coded(error.code, error.message);
      if (!error) start(server.draws ? { durationSeconds: null, endsAt: null } : {});
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
          fixedQuestionIds: [],
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

export async function open() {
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

export const plain = (text: string | null) => (text ?? "").replaceAll("\u00a0", " ");
export const button = (name: string) =>
  screen.findByRole<HTMLButtonElement>("button", { name: (found) => plain(found) === name });
export const clock = () => screen.queryByRole("timer", { name: "Оставшееся время" });
export const answerBox = () => screen.findByPlaceholderText<HTMLInputElement>("Ваш ответ");
export const seconds = (count: number) => act(() => vi.advanceTimersByTimeAsync(count * 1000));
export const setOnline = (isOnline: boolean) => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  act(() => void window.dispatchEvent(new Event(isOnline ? "online" : "offline")));
};
