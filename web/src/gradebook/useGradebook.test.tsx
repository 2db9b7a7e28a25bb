import { ApolloClient, ApolloLink, InMemoryCache, Observable } from "@apollo/client";
import { ApolloProvider } from "@apollo/client/react";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useGradebook } from "./useGradebook";

afterEach(cleanup);

const LEARNERS = 120;

const learner = (number: number) => ({
  __typename: "GradebookRow",
  enrollmentId: `e${number}`,
  user: { __typename: "User", id: `u${number}`, fullName: null, email: `${number}@example.com` },
  group: null,
  cells: [],
  total: {
    __typename: "GradeTotal",
    source: "NONE",
    percent: null,
    automatic: null,
    label: null,
    version: 0,
  },
});

const learners = Array.from({ length: LEARNERS }, (_, number) => learner(number));

/** A gradebook whose requests the test answers one by one. `rowsAt` returns the rows from a place on. */
function setUp(rowsAt = (skip: number) => learners.slice(skip)) {
  const asked: { first: number; skip: number; search: string | null }[] = [];
  const waiting: (() => void)[] = [];
  const link = new ApolloLink(({ variables, query }) => {
    const isSubscription = query.definitions.some(
      (one) => one.kind === "OperationDefinition" && one.operation === "subscription",
    );
    return new Observable((observer) => {
      if (isSubscription) return;
      const { first, skip, search } = variables as { first: number; skip: number; search: string | null };
      asked.push({ first, skip, search });
      waiting.push(() => {
        observer.next({
          data: {
            gradebook: {
              __typename: "Gradebook",
              settings: {
                __typename: "GradeSettings",
                courseId: "c",
                scheme: "PERCENT",
                missingCountsAsZero: false,
                categories: [],
                items: [],
              },
              rows: {
                __typename: "GradebookRows",
                totalCount: LEARNERS,
                nodes: rowsAt(skip).slice(0, first),
              },
            },
          },
        });
        observer.complete();
      });
    });
  });
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const look = { group: undefined, sort: "FULL_NAME", descending: false } as const;
  const isPaused = { current: false };
  const { result, rerender } = renderHook(
    ({ search }: { search: string }) => useGradebook("c", { ...look, search, isPaused }),
    {
      initialProps: { search: "" },
      wrapper: ({ children }) => <ApolloProvider client={client}>{children}</ApolloProvider>,
    },
  );
  const answer = async () => {
    await waitFor(() => expect(waiting.length).toBeGreaterThan(0));
    await act(async () => waiting.shift()?.());
  };
  const shown = () => ({ rows: result.current.book?.rows.length, total: result.current.book?.total });
  return { result, rerender, asked, answer, shown };
}

test("the first rows are shown while the others are being read", async () => {
  const { asked, answer, shown } = setUp();
  await answer();
  await waitFor(() => expect(shown()).toEqual({ rows: 50, total: LEARNERS }));
  await answer();
  await waitFor(() => expect(shown()).toEqual({ rows: LEARNERS, total: LEARNERS }));
  expect(asked.map(({ first, skip }) => [first, skip])).toEqual([
    [50, 0],
    [500, 50],
  ]);
});

test("a row that moves between two requests is shown once and does not repeat the request", async () => {
  const { asked, answer, shown } = setUp((skip) => learners.slice(skip === 0 ? 0 : skip - 1, -1));
  await answer();
  await answer();
  await waitFor(() => expect(shown()).toEqual({ rows: LEARNERS - 1, total: LEARNERS - 1 }));
  expect(asked).toHaveLength(2);
});

test("reading the same rows again replaces them only as a whole", async () => {
  const { result, answer, shown } = setUp();
  await answer();
  await answer();
  await waitFor(() => expect(shown().rows).toBe(LEARNERS));
  act(() => result.current.reload());
  await answer();
  expect(shown()).toEqual({ rows: LEARNERS, total: LEARNERS });
  await answer();
  await waitFor(() => expect(shown().rows).toBe(LEARNERS));
});

test("the rows of a new search replace the others with their first ones", async () => {
  const { result, rerender, asked, answer, shown } = setUp();
  await answer();
  await answer();
  rerender({ search: "Абрамова" });
  expect(result.current.isWaiting).toBe(true);
  await answer();
  await waitFor(() => expect(shown()).toEqual({ rows: 50, total: LEARNERS }));
  expect(result.current.isWaiting).toBe(false);
  expect(asked.at(-1)?.search).toBe("Абрамова");
});
