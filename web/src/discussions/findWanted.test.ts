import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { expect, test } from "vitest";
import { ApiError } from "../api/apiError";
import { createCache } from "../api/cache";
import { findWanted } from "./findWanted";
import { aDiscussion, anAnswer, aPost } from "./testing";

const failure = (status: number) => new ApiError({ url: "/graphql", status, statusText: "", body: {} });

/** A client whose server has one discussion under a page, and the names of what was asked. */
function serverWith(pageId: string, refusal = failure(404)) {
  const discussion = aDiscussion(1, { question: aPost(1) });
  const asked: string[] = [];
  const link = new ApolloLink(
    ({ operationName = "", variables }) =>
      new Observable((observer) => {
        asked.push(operationName);
        const known = [discussion.id, discussion.question.id, anAnswer(1).id];
        if (!known.includes(variables.id)) return observer.error(refusal);
        const course = { __typename: "Course", id: "c", myRole: "LEARNER" };
        const page = { __typename: "Page", id: pageId, title: "", number: 1, discussionRules: null, course };
        const data = { discussion: { ...discussion, page } };
        observer.next({ data });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  return { client, asked, discussion };
}

test("a discussion is found by its ID alone, also under the page to which it was moved", async () => {
  const { client, asked, discussion } = serverWith("p2");
  const found = { id: discussion.id, pageId: "p2", answerId: null };
  expect(await findWanted(client, discussion.id)).toEqual(found);
  expect(asked).toEqual(["Discussion"]);
});

test("a discussion is found by its question and its answers", async () => {
  const { client, discussion } = serverWith("p1");
  const found = { id: discussion.id, pageId: "p1", answerId: null };
  expect(await findWanted(client, discussion.question.id)).toEqual(found);
  const answerId = anAnswer(1).id;
  expect(await findWanted(client, answerId)).toEqual({ ...found, answerId });
});

test("there is none for an ID that names nothing or that is no ID", async () => {
  for (const status of [404, 409, 422]) {
    const { client } = serverWith("p1", failure(status));
    expect(await findWanted(client, "anything")).toBeNull();
  }
});

test("without an answer of the server, nothing is said to be gone", async () => {
  const { client } = serverWith("p1", failure(0));
  await expect(findWanted(client, "anything")).rejects.toThrow();
});
