import { ApolloClient, ApolloLink, type FetchResult, Observable } from "@apollo/client";
import { expect, it } from "vitest";
import { createCache } from "../api/cache";
import { newQuestion } from "../quiz-builder/model";
import { sendPage } from "./sendPage";

/** The outcome of saving a quiz, and how many requests it took. */
async function save(quiz: object | null, isPublished: boolean) {
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
