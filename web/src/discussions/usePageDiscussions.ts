import type { ApolloClient } from "@apollo/client";
import { useApolloClient, useQuery } from "@apollo/client/react";
import { useState } from "react";
import type { DiscussionFilter } from "../api/schema.generated";
import { forget, readDiscussion } from "./actions";
import {
  DiscussionDocument,
  PageDiscussionCountDocument,
  PageDiscussionsDocument,
  type PageDiscussionsQuery,
  type PageDiscussionsQueryVariables,
} from "./Discussions.generated";
import { type Discussion, matches, steadyOrder } from "./discussion";
import type { QuestionedPage } from "./page";
import { useDiscussionsChanged } from "./useDiscussionsChanged";

/** The server returns at most this many rows per request. */
const MOST_ROWS = 100;

type List = PageDiscussionsQuery["page"]["discussions"];

interface Options {
  filter: DiscussionFilter;
  /** The discussion that is open: it stays in the list when the filter or its age would take it away. */
  opened: string | null;
  /** Rows of a part of the list. */
  rows: number;
  skip?: boolean;
}

/** The questions under a page, kept up to date. What is known stays in its order, so that nothing moves under the reader. */
export function usePageDiscussions(page: QuestionedPage, { filter, opened, rows, skip = false }: Options) {
  const client = useApolloClient();
  const variables = { id: page.id, filter, first: rows, after: null };
  const { data, error, refetch, fetchMore, updateQuery } = useQuery(PageDiscussionsDocument, {
    variables,
    skip,
    fetchPolicy: "cache-and-network",
    nextFetchPolicy: "cache-first",
  });
  const list = data?.page.discussions;
  const [order, setOrder] = useState<{ filter: DiscussionFilter; ids: readonly string[] }>();
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [moreError, setMoreError] = useState<unknown>();

  const put = (change: (before: List) => List) =>
    updateQuery((_, { complete, previousData }) => {
      if (!complete) return undefined;
      const { page } = previousData;
      return { page: { ...page, discussions: change(page.discussions) } };
    });
  useDiscussionsChanged(page.course.id, skip ? undefined : page.id, {
    onChange: async (ids) => {
      for (const id of ids) {
        const now = await readDiscussion(client, id);
        const isListed = list?.nodes.some((one) => one.id === id) ?? false;
        if (now === null || now.page.id !== page.id) {
          if (now === null) forget(client, id);
          put((before) => ({ ...before, nodes: before.nodes.filter((one) => one.id !== id) }));
        } else if (!isListed && matches(now, filter))
          put((before) => ({
            ...before,
            nodes: [now, ...before.nodes.filter((one) => one.id !== id)],
          }));
      }
      // The server alone knows how many there are: an event may be about a question that the list had not loaded.
      const { data } = await client.query({
        query: PageDiscussionCountDocument,
        variables: { id: page.id, filter },
        fetchPolicy: "no-cache",
        context: { queryDeduplication: false },
      });
      if (data) put((before) => ({ ...before, totalCount: data.page.discussions.totalCount }));
    },
    onAgain: async () => {
      const now = await readRows(client, page.id, filter, Math.max(rows, list?.nodes.length ?? 0));
      if (now) put(() => now);
    },
  });
  const isApart = opened !== null && list !== undefined && !list.nodes.some(({ id }) => id === opened);
  const apart = useQuery(DiscussionDocument, { variables: { id: opened ?? "" }, skip: !isApart }).data;
  const isHere = isApart && apart?.discussion.page.id === page.id;
  const all: readonly Discussion[] | undefined =
    list && (isHere && apart ? [apart.discussion, ...list.nodes] : list.nodes);
  const shown = all?.filter((one) => one.id === opened || matches(one, filter));
  const discussions = shown && steadyOrder(order?.filter === filter ? order.ids : [], shown);
  const ids = discussions?.map(({ id }) => id);
  if (ids && (order?.filter !== filter || order.ids.join() !== ids.join())) setOrder({ filter, ids });

  const { hasNextPage = false, endCursor = null } = list?.pageInfo ?? {};
  const more = async () => {
    setLoadingMore(true);
    setMoreError(undefined);
    try {
      await fetchMore({
        variables: { after: endCursor },
        updateQuery: ({ page }, { fetchMoreResult }) => {
          const known = new Set(page.discussions.nodes.map(({ id }) => id));
          const added = fetchMoreResult.page.discussions;
          const nodes = [...page.discussions.nodes, ...added.nodes.filter(({ id }) => !known.has(id))];
          return { page: { ...page, discussions: { ...added, nodes } } };
        },
      });
    } catch (failure) {
      setMoreError(failure);
    } finally {
      setLoadingMore(false);
    }
  };
  return {
    discussions,
    total: list?.totalCount,
    error: list ? undefined : error,
    retry: () => void refetch().catch(() => undefined),
    hasMore: hasNextPage,
    isLoadingMore,
    /** Why the next rows could not be loaded. */
    moreError,
    more,
  };
}

/** The first rows of a list, read again: as many as are shown, in as many requests as that takes. */
async function readRows(
  client: ApolloClient,
  id: string,
  filter: DiscussionFilter,
  count: number,
): Promise<List | undefined> {
  let nodes: List["nodes"] = [];
  let after: string | null = null;
  for (;;) {
    const part: List | undefined = await readPart(client, {
      id,
      filter,
      first: Math.min(MOST_ROWS, count - nodes.length),
      after,
    });
    if (!part) return undefined;
    // A question that moved between two parts is listed once.
    const known = new Set(nodes.map((one) => one.id));
    const added = part.nodes.filter((one) => !known.has(one.id));
    nodes = [...nodes, ...added];
    if (!part.pageInfo.hasNextPage || nodes.length >= count || added.length === 0) return { ...part, nodes };
    after = part.pageInfo.endCursor;
  }
}

async function readPart(
  client: ApolloClient,
  variables: PageDiscussionsQueryVariables,
): Promise<List | undefined> {
  const { data } = await client.query({
    query: PageDiscussionsDocument,
    variables,
    fetchPolicy: "no-cache",
    // A request sent before an event must not be reused after it.
    context: { queryDeduplication: false },
  });
  return data?.page.discussions;
}
