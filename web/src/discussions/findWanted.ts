import type { ApolloClient } from "@apollo/client";
import { DiscussionPostsDocument, type DiscussionPostsQuery } from "./Discussions.generated";
import { findDiscussion } from "./discussion";

type List = DiscussionPostsQuery["page"]["discussions"];

/** The most parts of the list that are looked through, of 100 discussions each. */
const MOST_PARTS = 20;

/** The ID of the discussion with this ID, or with a post with this ID, which notices name. Null if the user may not read it, or it is gone. */
export async function findWanted(
  client: ApolloClient,
  pageId: string,
  wanted: string,
): Promise<string | null> {
  let after: string | null = null;
  for (let part = 0; part < MOST_PARTS; part += 1) {
    const list: List | undefined = await readPart(client, pageId, after);
    const found = list && findDiscussion(list.nodes, wanted);
    if (found) return found.id;
    if (!list?.pageInfo.hasNextPage) return null;
    after = list.pageInfo.endCursor;
  }
  return null;
}

async function readPart(client: ApolloClient, id: string, after: string | null): Promise<List | undefined> {
  const { data } = await client.query({
    query: DiscussionPostsDocument,
    variables: { id, after },
    fetchPolicy: "no-cache",
  });
  return data?.page.discussions;
}
