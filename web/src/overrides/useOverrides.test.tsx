import { ApolloClient, ApolloLink, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { createCache } from "../api/cache";
import type { CourseOverridesQuery } from "./Overrides.generated";
import { none } from "./override.fixture";
import { useOverrides, withPage } from "./useOverrides";

afterEach(cleanup);

const override = (id: string) => ({
  ...none,
  id,
  group: { __typename: "Group", id: "g", title: "10-А" },
  student: null,
  timeFactor: 2,
});

const list = (ids: string[], endCursor: string, hasNextPage: boolean) =>
  ({
    overrides: {
      __typename: "Overrides",
      totalCount: 2,
      pageInfo: { __typename: "PageInfo", endCursor, hasNextPage },
      nodes: ids.map(override),
    },
  }) as CourseOverridesQuery;

test("a page of overrides is appended once, however many screens fetch it", () => {
  const first = list(["a"], "1", true);
  const next = list(["b"], "2", false);
  const both = withPage(first, next, "1");
  expect(both).toEqual(list(["a", "b"], "2", false));
  expect(withPage(both, next, "1")).toBe(both);
});

test("the overrides are known when their last page has arrived, each once; a page that fails is reported and asked for again", async () => {
  let isFailing = true;
  const link = new ApolloLink(
    ({ operationName, variables }) =>
      new Observable((observer) => {
        if (operationName !== "CourseOverrides") return;
        if (variables.after && isFailing) return observer.error(new Error("Refused"));
        observer.next({ data: variables.after ? list(["b"], "2", false) : list(["a"], "1", true) });
        observer.complete();
      }),
  );
  const client = new ApolloClient({ link, cache: createCache(), dataMasking: true });
  const { result } = renderHook(() => [useOverrides("c"), useOverrides("c")] as const, {
    wrapper: ({ children }) => <ApolloProvider client={client}>{children}</ApolloProvider>,
  });
  await waitFor(() => expect(result.current.map(({ error }) => !!error)).toEqual([true, true]));
  expect(result.current.map(({ overrides }) => overrides)).toEqual([undefined, undefined]);
  isFailing = false;
  act(() => result.current[0].reload());
  await waitFor(() => {
    const ids = result.current.map(({ overrides }) => overrides?.map(({ id }) => id));
    expect(ids).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });
});
