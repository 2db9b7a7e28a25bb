import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { createCache } from "../api/cache";
import { questions, said } from "../quiz/testing";
import { openTimes } from "../testing/openTimes";
import type { AssignmentPage, HandInQuestion } from "./model";

type Attempt = AssignmentPage["attempts"][number];
type Draft = NonNullable<AssignmentPage["draft"]>;

export const handIn: HandInQuestion = { ...questions.handIn, rubric: null };

/** The draft on the server. */
export const stored = (version: number, words: string | null, links: string[] = []): Draft => ({
  version,
  savedAt: "2026-11-26T10:00:00Z",
  answer: {
    __typename: "HandInAnswer",
    questionId: "q10",
    document: words === null ? null : said(words),
    files: [],
    links,
  },
});

/** A version that was handed in, waiting for its points. */
export const version = (attemptNo: number, words: string, over: Partial<Attempt> = {}): Attempt => ({
  id: `v${attemptNo}`,
  attemptNo,
  score: 0,
  maxScore: 10,
  percent: 0,
  penaltyPercent: 0,
  passed: false,
  waitingAnswers: 1,
  isReturned: false,
  submittedAt: "2026-11-26T10:00:00Z",
  answers: [
    {
      __typename: "HandInAnswer",
      questionId: "q10",
      document: said(words),
      files: [],
      links: [`https://${attemptNo}.example`],
    },
  ],
  results: [
    {
      questionId: "q10",
      points: null,
      isReturned: false,
      comment: null,
      marks: [],
      pins: [],
    },
  ],
  ...over,
});

export const assignmentPage = (over: Partial<AssignmentPage> = {}): AssignmentPage => ({
  id: "p",
  version: 1,
  isCompleted: false,
  attemptsLeft: null,
  bestPercent: null,
  latePenaltyPerDay: null,
  latePenaltyMax: null,
  timeline: { ...openTimes, lateUntil: null, penaltyPercent: 0 },
  course: { id: "c", timeZone: null },
  quiz: { passPercent: 70, questions: [handIn] },
  attempts: [],
  draft: null,
  ...over,
});

type Answer = object | Promise<object> | Error;

/** A client with a fake server: each operation gets the data that `answers` has for its name, or none. */
export function fakeClient(answers: Record<string, (variables: Record<string, unknown>) => Answer>) {
  const asked: { name: string | undefined; variables: Record<string, unknown> }[] = [];
  const link = new ApolloLink(({ operationName: name, variables }) => {
    asked.push({ name, variables });
    return new Observable((observer) => {
      const answer = answers[name ?? ""]?.(variables);
      if (!answer) return;
      const send = (data: object) => {
        observer.next({ data: data as Record<string, unknown> });
        observer.complete();
      };
      if (answer instanceof Error) observer.error(answer);
      else if (answer instanceof Promise) answer.then(send, (error: unknown) => observer.error(error));
      else send(answer);
    });
  });
  return { client: new ApolloClient({ link, cache: createCache() }), asked };
}
