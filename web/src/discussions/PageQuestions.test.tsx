import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createCache } from "../api/cache";
import { startI18n } from "../testing/startI18n";
import { PageQuestions } from "./PageQuestions";

beforeAll(() => startI18n());
afterEach(cleanup);

const page = { id: "p1", version: 3, content: null, course: { id: "c", myRole: "LEARNER" as const } };

/** Opens the questions of a page whose server does not answer at first. */
function open(wanted: string | undefined) {
  const server = { fails: true, asked: 0 };
  const link = new ApolloLink(
    ({ operationName }) =>
      new Observable((observer) => {
        if (operationName !== "PageQuestions") return;
        server.asked += 1;
        if (server.fails) return observer.error(new TypeError("Failed to fetch"));
        const data = { __typename: "Page", id: "p1", discussionRules: null, blockQuestions: null };
        observer.next({ data: { page: data } });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  render(
    <ApolloProvider client={client}>
      <PageQuestions page={page} content={{ current: null }} wanted={wanted} />
    </ApolloProvider>,
  );
  return server;
}

const enter = () => act(async () => void window.dispatchEvent(new Event("focus")));

test("a failed first read is tried again when the window is entered, and no more when it has worked", async () => {
  const server = open(undefined);
  await waitFor(() => expect(server.asked).toBe(1));
  expect(screen.queryByRole("alert")).toBeNull();
  server.fails = false;
  await enter();
  await waitFor(() => expect(server.asked).toBe(2));
  await enter();
  expect(server.asked).toBe(2);
});

test("who has come for a question is told that it could not be loaded", async () => {
  const server = open("01900000-0000-7000-8000-000000000001");
  await screen.findByRole("alert");
  server.fails = false;
  await enter();
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});
