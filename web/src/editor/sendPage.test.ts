import { ApolloClient, ApolloLink, type FetchResult, Observable } from "@apollo/client";
import { expect, it } from "vitest";
import { createCache } from "../api/cache";
import { newDraw } from "../quiz-builder/draws";
import { newQuestion } from "../quiz-builder/model";
import { DrawableNowDocument, type DrawableNowQuery } from "../quiz-builder/QuizBanks.generated";
import { sendPage } from "./sendPage";

/** The outcome of saving a quiz, and how many requests it took. */
async function save(quiz: object | null, isPublished: boolean, drawable?: number) {
  let requests = 0;
  const link = new ApolloLink(
    () =>
      new Observable<FetchResult>((observer) => {
        requests += 1;
        const page = { __typename: "Page", id: "p", version: 2 };
        observer.next({ data: { updatePage: { __typename: "UpdatePagePayload", page, conflict: null } } });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache() });
  if (drawable !== undefined) {
    const questions = { __typename: "BankQuestionList", drawable };
    client.cache.writeQuery({
      query: DrawableNowDocument,
      variables: { bankId: "b", tags: [] },
      data: { bank: { __typename: "Bank", id: "b", questions } } as DrawableNowQuery,
    });
  }
  const send = sendPage(client, "p", "s", () => isPublished);
  const parts = { title: false, content: false, quiz: true };
  const request = { version: 1, parts, signal: new AbortController().signal, leaving: false };
  const { type } = await send({ title: null, content: null, quiz, contentKey: null }, request);
  return { type, requests };
}

const filled = (text: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});
const half = { questions: [newQuestion("numeric")] };
const whole = { questions: [{ ...newQuestion("numeric"), prompt: filled("2 + 2"), value: 4 }] };

it.each([
  ["keeps the incomplete quiz of a published page on this device", half, true, "incomplete", 0],
  ["sends the complete quiz of a published page", whole, true, "saved", 1],
  ["sends the incomplete quiz of a draft", half, false, "saved", 1],
  ["sends a page without a quiz", null, true, "saved", 1],
])("%s", async (_, quiz, isPublished, type, requests) => {
  expect(await save(quiz, isPublished)).toEqual({ type, requests });
});

const drawing = { questions: [newDraw({ bankId: "b", tags: [], count: 3, points: 1 })] };

it.each([
  ["that has enough questions is sent", 3, "saved"],
  ["that has too few is kept on this device, as the server would refuse it", 2, "incomplete"],
  ["of unknown size is sent", undefined, "saved"],
])("a published quiz that draws from a bank %s", async (_, drawable, type) => {
  expect(await save(drawing, true, drawable)).toMatchObject({ type });
});
