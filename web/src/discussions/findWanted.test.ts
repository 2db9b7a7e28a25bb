import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { expect, test } from "vitest";
import { ApiError } from "../api/apiError";
import { createCache } from "../api/cache";
import { findWanted } from "./findWanted";
import { aDiscussion, anAnswer, aPost } from "./testing";

const failure = (status: number) => new ApiError({ url: "/graphql", status, statusText: "", body: {} });

/** A client whose server has one discussion under a page, and the names of what was asked. */
function serverWith(pageId: string, refusal = failure(404)) {
  const discussion = aDiscussion(1, { posts: [aPost(1), anAnswer(1)] });
  const asked: string[] = [];
  const link = new ApolloLink(
    ({ operationName = "", variables }) =>
      new Observable((observer) => {
        asked.push(operationName);
        if (operationName === "Discussion" && variables.id !== discussion.id) return observer.error(refusal);
        const course = { __typename: "Course", id: "c", myRole: "LEARNER" };
        const page = { __typename: "Page", id: pageId, title: "", number: 1, discussionRules: null, course };
        const posts = discussion.posts.map(({ id }) => ({ __typename: "DiscussionPost", id }));
        const discussions = {
          __typename: "DiscussionConnection",
          pageInfo: { __typename: "PageInfo", hasNextPage: false, endCursor: null },
          nodes: variables.id === pageId ? [{ __typename: "Discussion", id: discussion.id, posts }] : [],
        };
        const data =
          operationName === "Discussion"
            ? { discussion: { ...discussion, page } }
            : { page: { __typename: "Page", id: String(variables.id), discussions } };
        observer.next({ data });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  return { client, asked, discussion };
}

test("a discussion is found by its ID alone, also under the page to which it was moved", async () => {
  const { client, asked, discussion } = serverWith("p2");
  expect(await findWanted(client, "p1", discussion.id)).toEqual({ id: discussion.id, pageId: "p2" });
  expect(asked).toEqual(["Discussion"]);
});

test("a post is looked for under the page", async () => {
  const { client, asked, discussion } = serverWith("p1");
  const found = await findWanted(client, "p1", discussion.posts[1]?.id ?? "");
  expect(found).toEqual({ id: discussion.id, pageId: "p1" });
  expect(asked).toEqual(["Discussion", "DiscussionPosts"]);
});

test("there is none for an ID that names nothing or that is no ID", async () => {
  for (const status of [404, 409, 422]) {
    const { client } = serverWith("p1", failure(status));
    expect(await findWanted(client, "p1", "anything")).toBeNull();
  }
});

test("without an answer of the server, nothing is said to be gone", async () => {
  const { client } = serverWith("p1", failure(0));
  await expect(findWanted(client, "p1", "anything")).rejects.toThrow();
});
