import type { ApolloClient } from "@apollo/client";
import type { Choice } from "./choice";
import {
  PublishChangesDocument,
  type PublishChangesMutation,
  type UnpublishedMarkFragment,
} from "./Unpublished.generated";

/** The changes of a page as they were shown: their version, and that of the text that learners saw then. */
export interface ShownChanges {
  pageId: string;
  version: number;
  pageVersion: number;
}

type Answer = PublishChangesMutation["publishPageDrafts"];

export interface Published {
  pages: readonly UnpublishedMarkFragment[];
  /** Pages that are no longer as they were shown. Nothing was published if there is one. */
  conflicts: readonly UnpublishedMarkFragment[];
  /** What would happen to the results now. Nothing was published if it is not what was shown. */
  consequences: Answer["consequences"];
  /** The attempts that got other results. */
  regrade: Answer["regrade"];
}

/** Publishes the changes of pages of a course, all or none. Rejects when the server refuses one of them. */
export async function publishChanges(
  client: ApolloClient,
  courseId: string,
  pages: readonly ShownChanges[],
  choice: Choice & { digest: string | null },
): Promise<Published> {
  const { data } = await client.mutate({
    mutation: PublishChangesDocument,
    variables: { input: { courseId, pages: [...pages], ...choice } },
  });
  const answer = data?.publishPageDrafts ?? { pages: [], conflicts: [], consequences: null, regrade: null };
  // The other screens of this window read the new texts from the server.
  for (const { id } of answer.pages) {
    const cacheId = client.cache.identify({ __typename: "Page", id });
    if (cacheId === undefined) continue;
    for (const fieldName of ["content", "authorQuiz", "quiz"]) client.cache.evict({ id: cacheId, fieldName });
  }
  return answer;
}
