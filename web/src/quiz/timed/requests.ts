import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../../api/apiError";
import { refreshLocked } from "../../course/unlock";
import { failureText } from "../../ui/toasts";
import { type AnswerInput, toInput } from "../answers";
import type { Attempt, Question, QuizPageState } from "../model";
import { QuizPageDocument, SubmitQuizDocument } from "../QuizState.generated";
import type { CheckedAnswer } from "../stepwise/checks";
import { takenAttempt } from "../takenAttempt";
import type { AttemptTimes } from "../time/AttemptTimes";
import { type Given, type GivenAnswers, timeOf } from "./queue";
import { CheckAnswerDocument, SaveAnswersDocument } from "./Timed.generated";

/** A request without a response is given up after this time. */
const TIMEOUT_MS = 15_000;
/** Largest request body that browsers send from a closing page, with room for the rest of the request. */
const KEPT_ALIVE_BYTES = 60_000;

/** What became of a request that failed. */
export type Failure =
  /** Without a response, or with one that may change: it is repeated. */
  | { kind: "unanswered" }
  | { kind: "refused"; message: string }
  /** The attempt, the page or its quiz is not what this screen believes: the page has to be read again. */
  | { kind: "outdated" }
  | { kind: "signedOut" };

/** `fixed`: whether an answer was skipped because its question had been checked on another device. */
type Saved = { kind: "saved" | "timeOver"; elapsed: number | null; fixed: boolean } | Failure;
export type Submitted = { kind: "taken"; attempt: Attempt } | Failure;
/** `gone` when the page cannot be read any more. */
type Looked = { kind: "read"; page: QuizPageState } | { kind: "gone"; error: ApiError } | Failure;

/** The requests of a running attempt; they never reject. */
export interface AttemptServer {
  /** `leaving` lets the request go on after its page is closed. */
  save: (ticket: string, batch: GivenAnswers, leaving: boolean) => Promise<Saved>;
  /** Checks the answer to a question, which is fixed from then on. */
  check: (ticket: string, question: Question, given: Given) => Promise<CheckedAnswer>;
  submit: (pending: { submissionId: string; version: number; answers: AnswerInput[] }) => Promise<Submitted>;
  /** Reads the page again, also for the screens that show it. */
  look: () => Promise<Looked>;
  /** Reads again what else shows the attempt, after it has ended without `submit`: the tree of the course with its progress and locks. */
  refreshCourse: () => void;
}

export function attemptServer(
  client: ApolloClient,
  pageId: string,
  questions: readonly Question[],
  times: AttemptTimes,
): AttemptServer {
  return {
    save: async (ticket, batch, leaving) => {
      const answers = times.withSeconds(inputOf(questions, batch));
      const input = { pageId, ticket, elapsedSeconds: timeOf(batch), answers };
      const keepalive = leaving && new Blob([JSON.stringify(input)]).size < KEPT_ALIVE_BYTES;
      return attempted(async (signal) => {
        const { data } = await client.mutate({
          mutation: SaveAnswersDocument,
          variables: { input },
          fetchPolicy: "no-cache",
          context: { fetchOptions: { signal, keepalive } },
        });
        if (!data) return { kind: "unanswered" };
        const { outcome, elapsedSeconds, fixedQuestionIds } = data.saveAnswers;
        if (outcome === "ENDED") return { kind: "outdated" };
        const kind = outcome === "SAVED" ? "saved" : "timeOver";
        return { kind, elapsed: elapsedSeconds, fixed: fixedQuestionIds.length > 0 };
      });
    },
    check: (ticket, question, given) =>
      attempted(async (signal): Promise<CheckedAnswer> => {
        const [answer] = times.withSeconds(inputOf([question], { [question.id]: given }));
        if (!answer) return { kind: "unanswered" };
        const { data } = await client.mutate({
          mutation: CheckAnswerDocument,
          variables: { input: { pageId, ticket, elapsedSeconds: given.at, answer } },
          fetchPolicy: "no-cache",
          context: { fetchOptions: { signal } },
        });
        if (!data) return { kind: "unanswered" };
        const { outcome, elapsedSeconds: elapsed, answer: fixed, result } = data.checkAnswer;
        if (outcome === "TIME_OVER") return { kind: "timeOver", elapsed };
        if (!fixed || !result) return { kind: "outdated" };
        return { kind: "checked", elapsed, answer: fixed, result };
      }),
    submit: (pending) =>
      attempted(async (signal) => {
        const { data } = await client.mutate({
          mutation: SubmitQuizDocument,
          variables: { input: { pageId, ...pending } },
          context: { fetchOptions: { signal } },
        });
        if (!data) return { kind: "unanswered" };
        const { outcome, lesson, course } = data.submitQuiz;
        const attempt = takenAttempt(data.submitQuiz);
        if (outcome !== "TAKEN" || !attempt) return { kind: "outdated" };
        if (lesson?.isCompleted && course) refreshLocked(client, course.id);
        return { kind: "taken", attempt };
      }),
    look: () =>
      attempted(async (signal): Promise<Looked> => {
        const { data } = await client.query({
          query: QuizPageDocument,
          variables: { id: pageId },
          fetchPolicy: "network-only",
          context: { fetchOptions: { signal }, queryDeduplication: false },
        });
        return data ? { kind: "read", page: data.page } : { kind: "unanswered" };
      }, goneOrFailed),
    refreshCourse: () => {
      void client.refetchQueries({
        include: "active",
        onQueryUpdated: ({ queryName }) => queryName === "PageCourse",
      });
    },
  };
}

/** The answers in the form in which they are saved. One that was deleted is empty. */
function inputOf(questions: readonly Question[], batch: GivenAnswers): AnswerInput[] {
  return questions.flatMap((question): AnswerInput[] => {
    const given = batch[question.id];
    if (!given) return [];
    const [input] = toInput([question], { [question.id]: given.answer });
    return [input ?? { questionId: question.id }];
  });
}

async function attempted<T, F = Failure>(
  send: (signal: AbortSignal) => Promise<T | F>,
  failed: (error: ApiError) => F | Failure = failureOf,
): Promise<T | F | Failure> {
  const request = new AbortController();
  const timeout = setTimeout(() => request.abort(), TIMEOUT_MS);
  try {
    return await send(request.signal);
  } catch (failure) {
    return failed(ApiError.from(failure));
  } finally {
    clearTimeout(timeout);
  }
}

/** A page that the server answers with a refusal does not come back by itself. */
function goneOrFailed(error: ApiError): Looked {
  const failure = failureOf(error);
  return failure.kind === "outdated" || failure.kind === "refused" ? { kind: "gone", error } : failure;
}

function failureOf(error: ApiError): Failure {
  if (error.endsSession) return { kind: "signedOut" };
  const isTemporary = error.isUnreachable || error.isAborted || error.status >= 500 || error.status === 429;
  // Any other status of 0 is a response that cannot be read, such as a proxy's error page.
  if (isTemporary || error.status === 0) return { kind: "unanswered" };
  if (error.status === 404 || error.status === 409) return { kind: "outdated" };
  return { kind: "refused", message: failureText(error) };
}
