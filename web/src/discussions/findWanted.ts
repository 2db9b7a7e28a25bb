import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import { readDiscussion } from "./actions";
import { DiscussionPostsDocument, type DiscussionPostsQuery } from "./Discussions.generated";
import { findDiscussion } from "./discussion";

type List = DiscussionPostsQuery["page"]["discussions"];

/** The most parts of the list that are looked through, of 100 discussions each. */
const MOST_PARTS = 20;

export interface Wanted {
  id: string;
  /** The page under which the discussion is: another one if it was moved. */
  pageId: string;
}

/**
 * The discussion with this ID, or with a post with this ID, which notices name. Null if the user may not read it, or it is gone. Posts are
 * looked for under the page only.
 */
export async function findWanted(
  client: ApolloClient,
  pageId: string,
  wanted: string,
): Promise<Wanted | null> {
  const named = await readNamed(client, wanted);
  if (named) return { id: named.id, pageId: named.page.id };
  let after: string | null = null;
  for (let part = 0; part < MOST_PARTS; part += 1) {
    const list: List | undefined = await readPart(client, pageId, after);
    const found = list && findDiscussion(list.nodes, wanted);
    if (found) return { id: found.id, pageId };
    if (!list?.pageInfo.hasNextPage) return null;
    after = list.pageInfo.endCursor;
  }
  return null;
}

/** The discussion with this ID; null without one, and where its questions are off. */
async function readNamed(client: ApolloClient, id: string) {
  try {
    return await readDiscussion(client, id);
  } catch (error) {
    // The address may have anything for an ID.
    if (ApiError.from(error).status === 409 || ApiError.from(error).status === 422) return null;
    throw error;
  }
}

async function readPart(client: ApolloClient, id: string, after: string | null): Promise<List | undefined> {
  const { data } = await client.query({
    query: DiscussionPostsDocument,
    variables: { id, after },
    fetchPolicy: "no-cache",
  });
  return data?.page.discussions;
}
