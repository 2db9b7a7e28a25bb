import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import { createCache } from "../api/cache";
import { aDiscussion } from "./testing";
import { usePageDiscussions } from "./usePageDiscussions";

afterEach(cleanup);

const page = { id: "p1", version: 1, content: null, course: { id: "c", myRole: "LEARNER" as const } };
const many = (count: number) => Array.from({ length: count }, (_, at) => aDiscussion(at + 1));

/** The list of a server that has these discussions, and a way to tell about a change of one of them. */
function open(rows: number, nodes: ReturnType<typeof aDiscussion>[]) {
  const server = { nodes, firsts: [] as number[], tell: (_: string) => {} };
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        if (operationName === "DiscussionsChanged") {
          server.tell = (discussionId) =>
            observer.next({
              data: {
                discussionsChanged: {
                  __typename: "DiscussionChange",
                  pageId: "p1",
                  discussionId,
                  isMine: false,
                },
              },
            });
          return;
        }
        const send = (data: Record<string, unknown>) => {
          observer.next({ data });
          observer.complete();
        };
        const totalCount = server.nodes.length;
        const connection = { __typename: "DiscussionConnection", totalCount };
        if (operationName === "Discussion") {
          const course = { __typename: "Course", id: "c", myRole: "LEARNER" };
          const under = {
            __typename: "Page",
            id: "p1",
            title: "",
            number: 1,
            discussionRules: null,
            course,
          };
          return send({
            discussion: { ...server.nodes.find(({ id }) => id === variables.id), page: under },
          });
        }
        if (operationName === "PageDiscussionCount")
          return send({ page: { __typename: "Page", id: "p1", discussions: connection } });
        const from = Number(variables.after ?? 0);
        const end = from + Number(variables.first);
        server.firsts.push(Number(variables.first));
        const pageInfo = {
          __typename: "PageInfo",
          hasNextPage: end < totalCount,
          endCursor: String(end),
        };
        const discussions = { ...connection, pageInfo, nodes: server.nodes.slice(from, end) };
        send({ page: { __typename: "Page", id: "p1", discussions } });
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ApolloProvider client={client}>{children}</ApolloProvider>
  );
  const { result } = renderHook(() => usePageDiscussions(page, { filter: "ALL", opened: null, rows }), {
    wrapper,
  });
  return { server, result };
}

test("a list of more than one request is read again as a whole when the window is entered", async () => {
  const { server, result } = open(100, many(250));
  await waitFor(() => expect(result.current.discussions).toHaveLength(100));
  for (const count of [200, 250]) {
    await act(() => result.current.more());
    await waitFor(() => expect(result.current.discussions).toHaveLength(count));
  }
  server.firsts.length = 0;
  await act(async () => void window.dispatchEvent(new Event("focus")));
  await waitFor(() => expect(server.firsts).toEqual([100, 100, 50]));
  await waitFor(() => expect(result.current.discussions).toHaveLength(250));
  expect(result.current.hasMore).toBe(false);
});

test("the total is the server's after a change of a question that the list has not loaded", async () => {
  const { server, result } = open(2, many(5));
  await waitFor(() => expect(result.current.total).toBe(5));
  const last = server.nodes.at(-1)?.id ?? "";
  act(() => server.tell(last));
  await waitFor(() => expect(result.current.discussions).toHaveLength(3));
  // It was counted before, too.
  expect(result.current.total).toBe(5);
  server.nodes = many(6);
  act(() => server.tell(server.nodes.at(-1)?.id ?? ""));
  await waitFor(() => expect(result.current.total).toBe(6));
});
