import type { ApolloClient } from "@apollo/client";
import { ApiError } from "../api/apiError";
import { readDiscussion } from "./actions";

export interface Wanted {
  id: string;
  /** The page under which the discussion is: another one if it was moved. */
  pageId: string;
  /** The answer that was named, if one was. */
  answerId: string | null;
}

/** The discussion with this ID, or with a post with this ID, which notices name. Null if the user may not read it, or it is gone. */
export async function findWanted(client: ApolloClient, wanted: string): Promise<Wanted | null> {
  const found = await readNamed(client, wanted);
  if (!found) return null;
  const isAnswer = wanted !== found.id && wanted !== found.question.id;
  return { id: found.id, pageId: found.page.id, answerId: isAnswer ? wanted : null };
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
